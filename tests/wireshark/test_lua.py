"""The dissector's file under the Lua versions that Wireshark has: it loads, and its reader reads the same.

Wireshark itself is not needed: a few stand-ins take its declarations.
"""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from support_lua import loaded
from support_specs import SPECS
from support_wireshark import fields_of

from msmq_wire import Record, mqmq, mqrr
from msmq_wire.documents.layouts import structures
from msmq_wire.records.record import read
from msmq_wire.values.errors import DecodeError, left_over

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSIONS = ("lua52", "lua53", "lua54")


@pytest.fixture(scope="module")
def vectors() -> list[tuple[str, bytes]]:
    lines = gzip.decompress((SPECS / "vectors" / "independent.jsonl.gz").read_bytes()).splitlines()
    found = [json.loads(line) for line in lines]
    return [(row["kind"], bytes.fromhex(row["hex"])) for row in found if "(" not in row["kind"]]


@pytest.mark.parametrize("version", VERSIONS)
def test_loads(version: str) -> None:
    made, _ = loaded(version)
    assert (made[b"heuristics"], made[b"structures"]) == (2, len(structures()))


def test_reads_alike(vectors: list[tuple[str, bytes]]) -> None:
    """The same verdicts and places of fields in all versions, and the library's verdicts."""
    names = {"OrderAckPacket", "FinalAckPacket", "SessionPacket", "ReplicationMessage", "Ping"}
    readers = [loaded(version)[1] for version in VERSIONS]
    read = 0
    for kind, data in vectors:
        if kind in names or not data:
            continue
        found = [reader(kind.encode(), data) for reader in readers]
        assert found[0] == found[1] == found[2]
        try:
            wanted = fields_of(kind, data)
        except DecodeError:
            assert found[0][0]
        else:
            assert found[0][0] is None
            read += len(wanted) > 0
    assert read > 300


def _damaged(data: bytes) -> Iterator[bytes]:
    """Cut short, with more behind it, and with each of its first bytes set."""
    yield data[: len(data) // 2]
    yield data[:-1]
    yield data + b"x"
    for at in range(min(len(data), 20)):
        yield data[:at] + b"\xff" + data[at + 1 :]


def _problem(kind: str, data: bytes) -> str | None:
    """What the library says where decoding stops, before it searches for a number that lies."""
    try:
        _, pos = read(Record.class_of(kind).layout, data, 0, len(data))
    except DecodeError as error:
        return error.problem
    return None if pos == len(data) else left_over(kind, pos, len(data)).problem


def test_says_what_the_library_says(vectors: list[tuple[str, bytes]]) -> None:
    """The sentences of the library, each after the name of its field if it has one."""
    _, reader = loaded(VERSIONS[-1])
    whole = {name for name, structure in structures().items() if not structure.scoped}
    kinds = {kind: data for kind, data in vectors if kind in whole and len(data) < 4000}
    said: set[str] = set()
    for kind, sound in kinds.items():
        for data in _damaged(sound):
            problem, _ = reader(kind.encode(), data)
            wanted = _problem(kind, data)
            assert (problem and problem.decode().rpartition(": ")[2]) == wanted
            said.add(re.sub(r"0x[0-9a-f]+|\d+", "0", wanted or ""))
    assert len(said) > 10


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
def test_hostile_counts(version: str) -> None:
    """Counts of billions are refused before anything is made of them; of many elements not all are shown."""
    _, reader = loaded(version)
    problem, _ = reader(b"MQUSERSIGNCERTS", b"\xff" * 100)
    assert problem == b"CertificateCount: expected a count of at most 2, found 4294967295"
    many = (120_000).to_bytes(4, "little") + bytes(36) * 120_000
    problem, leaves = reader(b"MQUSERSIGNCERTS", many)
    assert problem is None
    assert leaves.count(b"\n") < 100_000


@pytest.mark.parametrize("packed", [False, True])
def test_packed_lists(packed: bool) -> None:
    """Names of public queues with their paddings, and without where only that fits."""
    names = [
        (1).to_bytes(2, "little") + (b"" if packed else b"\0\0") + bytes([number]) * 16 for number in range(3)
    ]
    size = 12 + sum(map(len, names))
    data = size.to_bytes(4, "little") + b"\x64\0\0\0" + (3).to_bytes(4, "little") + b"".join(names)
    data += bytes(-size % 4)
    wanted = [name for name, _ in fields_of("MQFAddressHeader", data)]
    for version in VERSIONS:
        problem, leaves = loaded(version)[1](b"MQFAddressHeader", data)
        assert problem is None
        shown = [line.split()[0] for line in leaves.decode().splitlines()]
        assert shown == wanted


@pytest.mark.parametrize("between", [b"", b"\xab\xcd"])
def test_padded_texts(between: bytes) -> None:
    """A SoapHeader with padding between its parts, and without, as BodySectionID shows."""
    data = b"\x20\x03\0\0\1\0\0\0" + b"\0\0" + between + b"\x84\x03\0\0\1\0\0\0" + b"\0\0"
    data += bytes(-len(data) % 4)
    wanted = fields_of("SoapHeader", data)
    assert ("msmq.soapheader.bodysectionid", 0x384) in wanted
    for version in VERSIONS:
        problem, leaves = loaded(version)[1](b"SoapHeader", data)
        assert problem is None
        shown = [line.split()[0] for line in leaves.decode().splitlines()]
        assert shown == [name for name, _ in wanted]


EXTENSION = {
    "ExtensionHeader": mqrr.ExtensionHeader(),
    "SubqueueHeader": mqrr.SubqueueHeader(),
    "ExtendedAddressHeader": mqrr.ExtendedAddressHeader(),
}


@pytest.mark.parametrize("extension", [EXTENSION, {}], ids=["extension", "nothing"])
def test_another_header_or_nothing_in_the_place_of_a_session_header(extension: dict[str, Any]) -> None:
    message = mqmq.UserMessage(BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(SH=1, PR=3)))
    data = mqrr.MessagePacket(UserMessage=message, **extension).encode()
    wanted = [name for name, _ in fields_of("MessagePacket", data) if ".flags" not in name]
    assert not any("sessionheader" in name for name in wanted)
    for version in VERSIONS:
        problem, leaves = loaded(version)[1](b"MessagePacket", data)
        assert problem is None
        shown = [line.split()[0] for line in leaves.decode().splitlines()]
        assert [name for name in shown if ".flags" not in name] == wanted
