"""The files under `specs` are complete, consistent and hold what their README says."""

from __future__ import annotations

import ast
import pkgutil
import re
import struct
import tomllib
import uuid
from collections import Counter
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest
from support_rows import for_each, table
from support_specs import (
    PLACES,
    SPECS,
    AnnotatedVector,
    ValueVector,
    Vector,
    load_annotated_vectors,
    load_errata,
    load_requirements,
    load_value_vectors,
    load_vectors,
)
from support_values import VARTYPES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

VECTORS = table(load_vectors)
ANNOTATED = table(load_annotated_vectors)
VALUES = table(load_value_vectors)
REQUIREMENTS = table(load_requirements)
ERRATA = load_errata()
FILES = table(lambda: sorted(path for path in SPECS.rglob("*") if path.is_file() and path.suffix != ".gz"))

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

README = table(lambda: (SPECS / "README.md").read_text("utf-8"))
WITH_FIELDS = table(lambda: [vector for vector in VECTORS() if not vector.truncated])

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


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


@for_each("vector", WITH_FIELDS, ids=lambda vector: vector.name)
def test_fields_give_the_bytes_back(vector: Vector) -> None:
    words = [(path, value) for path, value in vector.fields.items() if _parent(path) not in vector.fields]
    assert b"".join(_octets(path, value) for path, value in words) == vector.data


@for_each("vector", WITH_FIELDS, ids=lambda vector: vector.name)
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
    assert _repeated(vector.name for vector in VECTORS()) == []
    for vector in VECTORS():
        assert vector.data
        assert vector.provenance
        assert vector.truncated != bool(vector.fields)
        assert re.fullmatch(r"\[M[CS]-MQ[A-Z]+\] \d+(\.\d+)*", vector.section)
        assert vector.direction in {"client to server", "server to client"}


def test_vector_lengths() -> None:
    for vector in VECTORS():
        if vector.packet in WITHOUT_BASE_HEADER:
            assert len(vector.data) == 24
            continue
        (size,) = struct.unpack_from("<I", vector.data, PACKET_SIZE_AT)
        if vector.truncated:
            assert len(vector.data) < size
        else:
            assert len(vector.data) == size == vector.fields["BaseHeader.PacketSize"]


def test_completed_vector_continues_the_truncated_one() -> None:
    (short,) = (vector for vector in VECTORS() if vector.truncated)
    (full,) = (vector for vector in VECTORS() if vector.completed)
    assert (len(short.data), len(full.data)) == (1650, 2224)
    assert full.data == short.data + b"a\0" * 286 + bytes(2)


# The derived vectors: octets of each integer field, and the packed forms of the property values.
DIRECTORY_WIDTHS = {
    "Version": 1,
    "Operation": 1,
    "Flush": 1,
    "Count": 2,
    "SyncReplyHeader.Count": 4,
    "Command": 1,
    "UseGuid": 1,
    "NumberOfProperties": 1,
    "RequestIdentifier": 4,
    "PSCNameOffset": 4,
    "IsSync0": 1,
    "Scope": 1,
    "CompleteSync0": 4,
    "Result": 4,
    "NumberOfUpdateNotifications": 1,
}
SCALARS = {
    "VT_I1": "b",
    "VT_UI1": "B",
    "VT_I2": "h",
    "VT_UI2": "H",
    "VT_BOOL": "H",
    "VT_I4": "i",
    "VT_UI4": "I",
    "VT_I8": "q",
    "VT_UI8": "Q",
}


def _vartype(name: str) -> int:
    base, _, vector = name.partition(" | ")
    assert vector in {"", "VT_VECTOR"}
    return VARTYPES[base] | (0x1000 if vector else 0)


def _counted(raw: bytes) -> bytes:
    return struct.pack("<I", len(raw)) + raw


def _packed(name: str, value: Any) -> bytes:
    """A property value as octets."""
    base, _, vector = name.partition(" | ")
    if name in {"VT_BLOB", "VT_UI1 | VT_VECTOR"}:
        return _counted(bytes.fromhex(value))
    if base == "VT_VARIANT":
        made = [struct.pack("<H", _vartype(item["type"])) for item in value]
        made = [
            head + _packed(item["type"], item.get("value")) for head, item in zip(made, value, strict=True)
        ]
        return struct.pack("<I", len(value)) + b"".join(made)
    if vector:
        return struct.pack("<I", len(value)) + b"".join(_packed(base, item) for item in value)
    if base in SCALARS:
        return struct.pack("<" + SCALARS[base], int(value, 16) if isinstance(value, str) else value)
    if base == "VT_CLSID":
        return uuid.UUID(value).bytes_le
    if base in {"VT_LPWSTR", "VT_BSTR"}:
        return bytes(value.encode("utf-16-le")) + b"\0\0"
    assert (base, value) in {("VT_EMPTY", None), ("VT_NULL", None)}
    return b""


def _directory_octets(path: str, value: Any) -> bytes:
    """A field of a directory message as octets."""
    name = path.rpartition(".")[2]
    if isinstance(value, dict):
        return _packed(value["type"], value["value"])
    if isinstance(value, list):
        return struct.pack(f"<{len(value)}I", *value)
    if isinstance(value, int):
        return value.to_bytes(DIRECTORY_WIDTHS.get(path, DIRECTORY_WIDTHS[name]), "little")
    assert isinstance(value, str)
    if name.endswith("ID") or name.startswith("Guid"):
        assert value == str(uuid.UUID(value))
        return uuid.UUID(value).bytes_le
    if name == "Text":
        return value.encode("utf-16-le")
    if name.endswith("Name"):
        return value.encode("utf-16-le") + b"\0\0"
    assert value == bytes.fromhex(value).hex()
    assert len(value) == 16 or "SeqNumber" not in name
    return bytes.fromhex(value)


@for_each("vector", ANNOTATED, ids=lambda vector: vector.name)
def test_derived_fields_give_each_row_back(vector: AnnotatedVector) -> None:
    assert [row.path for row in vector.rows] == list(vector.fields)
    for row in vector.rows:
        assert _directory_octets(row.path, vector.fields[row.path]) == row.data, row.path
    for data, text in vector.texts:
        assert text.encode("utf-16-le") == data
    said = "".join(text for _, text in vector.texts)
    assert said == (vector.fields["Data.Text"] if vector.notification else "")


@for_each("vector", VALUES, ids=lambda vector: vector.name)
def test_derived_values_give_the_bytes_back(vector: ValueVector) -> None:
    assert _packed(vector.type, vector.value) == vector.data
    assert _vartype(vector.type) == vector.number


def test_derived_vectors_are_complete() -> None:
    assert _repeated(vector.name for vector in ANNOTATED()) == []
    assert any(vector.notification for vector in ANNOTATED())
    for vector in ANNOTATED():
        assert vector.provenance.startswith("Derived by hand from ")
        assert vector.section.startswith(("[MC-MQDSRP] 2.2.6.", "[MS-MQCN] 2.2."))
        assert vector.direction
        assert vector.transport


def test_derived_values_are_complete() -> None:
    assert _repeated(vector.name for vector in VALUES()) == []
    alone = set(VARTYPES) - {"VT_VARIANT"}
    vectors = {f"{name} | VT_VECTOR" for name in set(VARTYPES) - {"VT_EMPTY", "VT_NULL"}}
    assert {vector.type for vector in VALUES()} == alone | vectors
    printed = {vector.section for vector in VALUES()} - {"[MS-MQCN] 2.2.3"}
    assert printed == {f"[MS-MQCN] 2.2.3.{number}" for number in range(1, 16)}


@pytest.mark.tables
def test_requirements_are_complete() -> None:
    """No id stands twice."""
    assert _repeated(row.id for row in REQUIREMENTS()) == []


@pytest.mark.tables
def test_requirement_ids_follow_document_and_section() -> None:
    number: Counter[str] = Counter()
    for row in REQUIREMENTS():
        stem = f"{row.document.partition('-')[2]}-{row.section}"
        number[stem] += 1
        assert row.id == f"{stem}-{number[stem]:02d}"
        assert row.subject
        assert row.requirement


@pytest.mark.tables
def test_requirements_have_the_levels_of_the_pages() -> None:
    """`second-reading.toml` lists those whose word is not MUST."""
    levels = tomllib.loads((SPECS / "second-reading.toml").read_text("utf-8"))["levels"]
    own = {row.id: row.level for row in REQUIREMENTS() if row.level != "MUST"}
    assert own == {identifier: level for level, ids in levels.items() for identifier in ids}


def test_requirements_say_where_they_are_checked() -> None:
    ids = {row.id for row in REQUIREMENTS()}
    for row in REQUIREMENTS():
        assert row.checked, row.id
        assert list(row.checked) == [place for place in PLACES if place in row.checked], row.id
        assert "nowhere" not in row.checked or row.checked == ("nowhere",), row.id
        assert row.why or row.checked != ("nowhere",), row.id
        assert row.id not in {*row.same_as, *row.inseparable_from}
        assert {*row.same_as, *row.inseparable_from} <= ids, row.id
        assert not row.performed_by or {"session", "machine"}.intersection(row.checked), row.id
        assert not row.proved_by or row.performed_by, row.id
        assert not row.umbrella or "machine" in row.checked, row.id


@for_each("path", lambda: sorted({path for row in REQUIREMENTS() for path in row.performed_by}))
def test_code_that_performs_a_requirement_exists(path: str) -> None:
    assert path.startswith("msmq_wire.")
    assert pkgutil.resolve_name(path) is not None


@cache
def parsed(file: str) -> ast.Module:
    return ast.parse((SPECS.parent / file).read_text(encoding="utf-8"))


@for_each("node", lambda: sorted({node for row in REQUIREMENTS() for node in row.proved_by}))
def test_tests_that_prove_a_requirement_exist(node: str) -> None:
    file, *names = node.split("::")
    found: Any = parsed(file)
    for name in names:
        (found,) = (item for item in found.body if getattr(item, "name", None) == name)
    assert names[-1].startswith("test_")


def test_requirement_files_are_named_after_their_document() -> None:
    names = {path.stem for path in SPECS.glob("requirements/*.toml")}
    assert names == {row.document for row in REQUIREMENTS()}


def test_errata_are_complete() -> None:
    count: Counter[str] = Counter()
    for erratum in ERRATA:
        letter = erratum.id[0]
        count[letter] += 1
        assert erratum.id == f"{letter}{count[letter]}"
    for erratum in ERRATA:
        assert erratum.certainty in {"shown", "text", "inferred"}
        assert (erratum.switchable is not None) == erratum.id.startswith("D")
        assert erratum.conflict
        assert erratum.reading
        cited = [re.fullmatch(r"\[(M[CS]-[A-Z]+)\] \d+(?:\.\d+)*", section) for section in erratum.sections]
        assert {match[1] for match in cited if match} == set(erratum.documents)
        assert all(cited)


def test_errata_that_requirements_name_exist() -> None:
    named = {
        one
        for row in REQUIREMENTS()
        for one in re.findall(r"\berratum (\w+)", f"{row.requirement} {row.why}")
    }
    assert named
    assert named <= {erratum.id for erratum in ERRATA}


@for_each("path", FILES, ids=lambda path: path.name)
def test_files_are_plain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.isascii()
    assert text.endswith("\n")
    assert FORBIDDEN.search(text) is None
