"""The dissector in tshark: field by field what the library reads, and no fault over damaged packets.

Where tshark is not installed these tests are skipped and say so.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pyarrow.parquet as pq
import pytest
from support_specs import SPECS
from support_wireshark import (
    TSHARK,
    Layer,
    as_shown,
    captured,
    differences,
    exported,
    fields_of,
    run,
    why_not,
)

from msmq_wire import GUID, SEQUENCE_NUMBER, decode, mqdsrp, validate
from msmq_wire.arrow.messages import MESSAGES
from msmq_wire.checks.rules import RULES
from msmq_wire.exports.layouts import NUMERIC
from msmq_wire.mqmq import (
    MessagePropertiesHeader,
    SecurityData,
    SecurityHeader,
    SecurityHeaderFlags,
    UserHeader,
    UserMessage,
)
from msmq_wire.packets.lax import decode_lax
from msmq_wire.testing import mutate, samples
from msmq_wire.testing.captures import Faults, Written, write_captures
from msmq_wire.values.errors import DecodeError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.needs("tshark")


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Skip where tshark cannot load the dissector."""
    if TSHARK and why_not():
        pytest.skip(why_not())


_KINDS = {"OrderAckPacket": "UserMessage", "FinalAckPacket": "UserMessage", "Ping": "PingPacket"}


def structure_of(vector: dict[str, Any], data: bytes) -> str:
    """The structure that a vector of the independent reader is; empty for what is no structure."""
    kind = str(vector["kind"])
    if kind.startswith("PROPVALUE"):
        return ""
    if kind == "ReplicationMessage":
        return type(mqdsrp.decode(data)).__name__ if vector["verdict"] != "undecodable" else ""
    if kind == "SessionPacket":
        return "msmq"
    return _KINDS.get(kind, kind)


def malformed(layer: Layer) -> bool:
    return any(name == "msmq.malformed" for name, _ in layer.fields)


def faults(layers: list[Layer]) -> list[Layer]:
    return [layer for layer in layers if any(name == "msmq.fault" for name, _ in layer.fields)]


@pytest.fixture(scope="module")
def vectors() -> list[tuple[str, bytes, dict[str, Any]]]:
    lines = gzip.decompress((SPECS / "vectors" / "independent.jsonl.gz").read_bytes()).splitlines()
    found = []
    for line in lines:
        vector = json.loads(line)
        data = bytes.fromhex(vector["hex"])
        kind = structure_of(vector, data)
        if kind and data:
            found.append((kind, data, vector))
    return found


@pytest.fixture(scope="module")
def layers(
    tmp_path_factory: pytest.TempPathFactory, vectors: list[tuple[str, bytes, dict[str, Any]]]
) -> list[Layer]:
    """What tshark says of the vectors."""
    path = tmp_path_factory.mktemp("vectors") / "v.pcap"
    return captured(exported(path, [(kind, data) for kind, data, _ in vectors]))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Generated captures of two sensors."""
    return write_captures(tmp_path_factory.mktemp("written"), packets=300, seed=7, files=2)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small generated capture."""
    return write_captures(tmp_path_factory.mktemp("small"), packets=60, seed=5, files=1).captures[0]


@pytest.fixture(scope="module")
def moved(small: Path) -> Path:
    """The same on another port."""
    path = small.with_name("moved.pcap")
    old, new = (1801).to_bytes(2, "big"), (40123).to_bytes(2, "big")
    path.write_bytes(small.read_bytes().replace(old, new))
    return path


def test_vectors(vectors: list[tuple[str, bytes, dict[str, Any]]], layers: list[Layer]) -> None:
    """Verdict and fields of every vector."""
    first = {layer.frame: layer for layer in reversed(layers)}
    assert not faults(layers)
    compared, wrong = 0, []
    for number, (name, data, vector) in enumerate(vectors, 1):
        kind = name
        layer = first[number]
        try:
            if name == "msmq":
                kind = (layer.all("msmq.packet") or ["BaseHeader"])[0]
            wanted = fields_of(kind, data)
        except DecodeError:
            assert malformed(layer) or layer.all("msmq.unrecognized"), vector["name"]
            continue
        if name != "msmq":  # there are bytes after some
            assert not malformed(layer), vector["name"]
        compared += len(wanted)
        wrong += differences(layer, wanted) if not malformed(layer) else []
    assert compared > 10_000
    assert wrong == []


def test_rules(vectors: list[tuple[str, bytes, dict[str, Any]]], layers: list[Layer]) -> None:
    """Expert infos name what `validate` finds, of the requirements that only compare numbers.

    A requirement that is judged otherwise too may be found without the dissector, never the other way about.
    Key blobs are left out: the dissector takes bytes for one only where they begin like it.
    """
    layouts = json.loads((SPECS / "layouts.json").read_bytes())
    rules = {
        rule["requirement"]
        for structure, rows in layouts["rules"].items()
        for rule in rows
        if "BLOB" not in structure and "session" in rule.get("channels", ["session"])
    }
    otherwise = {
        row.requirement
        for rows in RULES.values()
        for row in rows
        if row.operator not in NUMERIC
        or isinstance(row.value, GUID | SEQUENCE_NUMBER | bytes)
        or (row.operator == "==" and isinstance(row.value, str))
    }
    alone = rules - otherwise
    seen: set[str] = set()
    for layer in {layer.frame: layer for layer in reversed(layers)}.values():
        kind, data, vector = vectors[layer.frame - 1]
        if malformed(layer) or not layer.all("msmq.packet"):
            continue
        name = layer.all("msmq.packet")[0] if kind in {"msmq", "UserMessage"} else kind
        try:
            record = decode(data, name)
        except DecodeError:  # there are bytes after it
            continue
        found = [row.requirement for row in validate(record, level="should", channel="session")]
        wanted = sorted(requirement for requirement in found if requirement in alone)
        told = [one for one in layer.all("msmq.requirement") if one in rules]
        assert sorted(one for one in told if one in alone) == wanted, vector["name"]
        assert not Counter(told) - Counter(found), vector["name"]
        seen.update(wanted)
    assert len(alone) > 150
    assert len(seen) > 30


def test_captures(written: Written) -> None:
    """Every packet of a generated capture, over segments that cut and join them, at the place it was sent."""
    sent = defaultdict(list)
    for row in pq.read_table(written.truth).to_pylist():
        way = (row["src"], str(row["src_port"]), row["dst"], str(row["dst_port"]))
        sent[row["file"], way].append(row)
    compared, wrong = 0, []
    for capture in written.captures:
        shown = defaultdict(list)
        layers = captured(capture)
        assert not faults(layers)
        for layer in layers:
            shown[layer.way].append(layer)
        for (file, way), rows in sent.items():
            if file != capture.name:
                continue
            rows.sort(key=lambda row: (row["connection"], row["offset"] or 0))
            assert len(shown[way]) == len(rows)
            for layer, row in zip(shown[way], rows, strict=True):
                assert layer.all("msmq.packet") == [row["packet"]]
                wanted = fields_of(row["packet"], row["data"])
                compared += len(wanted)
                wrong += differences(layer, wanted)
    assert compared > 15_000
    assert wrong == []


def test_readings(written: Written, tmp_path: Path) -> None:
    """The interpreted fields are the columns of the table `messages`, also of acknowledgments."""
    rows = pq.read_table(written.truth).to_pylist()
    packets = [row["data"] for row in rows if row["packet"] in {"UserMessage", "OrderAck", "FinalAck"}]
    shown = _readings(tmp_path / "p.pcap", packets)
    seen = Counter(name for row in shown for name, values in row.items() if values)
    seen.update(name for row in shown for name in ("several",) if len(row["destination"]) > 1)
    assert shown == [_columns(data) for data in packets]
    assert min(seen[name] for name in (*_READINGS, "several")) > 10


_READINGS = {
    "destination": "destinations",
    "admin_queue": "admin_queue",
    "response_queue": "response_queue",
    "message_identifier": "message",
    "correlation_identifier": "correlation",
    "label": "label",
    "body": "text",
    "sender": "sender",
}
"""Interpreted fields, and the columns of the same meaning."""


def _readings(path: Path, packets: list[bytes]) -> list[dict[str, list[str]]]:
    """The interpreted fields of each packet in tshark; of the lists that a column has in part, the first."""
    layers = captured(exported(path, [("msmq", data) for data in packets]))
    shown = [{name: layer.all(f"msmq.{name}") for name in _READINGS} for layer in layers]
    for row in shown:
        row["destination"] = sorted(set(row["destination"]))
        row.update({name: row[name][:1] for name in ("admin_queue", "response_queue")})
    return shown


def _columns(data: bytes) -> dict[str, list[str]]:
    """The same values in a row of the table."""
    row = MESSAGES.row(decode(data, UserMessage))
    if row["body_form"] not in {"VT_BSTR", "VT_LPWSTR"}:
        row["text"] = None
    values = {name: row[column] or [] for name, column in _READINGS.items()}
    texts = {name: [value] if isinstance(value, str) else value for name, value in values.items()}
    return {name: sorted({as_shown(text) for text in column} - {""}) for name, column in texts.items()}


def test_unusual_readings(tmp_path: Path) -> None:
    """Values that are none for the columns are not shown, and the others as in them."""
    source = GUID.of("557358d1-9150-9595-4997-b6e611ea26c6")
    queue = "DIRECT=OS:host\\queue"
    user = UserHeader(SourceQueueManager=source, MessageID=7, DestinationQueue=queue)
    properties = [
        MessagePropertiesHeader(BodyType=8, MessageBody=b"a\0b"),
        MessagePropertiesHeader(BodyType=8, MessageBody="inner\0text".encode("utf-16-le")),
        MessagePropertiesHeader(BodyType=31, MessageBody="inner\0text\0".encode("utf-16-le")),
        MessagePropertiesHeader(BodyType=31, MessageBody="text\0".encode("utf-16-le")),
        MessagePropertiesHeader(Label="\0in\0ner\0"),
        MessagePropertiesHeader(Label="no\ufffe\uffff\ud800XML\0"),
        MessagePropertiesHeader(CorrelationID=bytes(19) + b"\1"),
    ]
    heads = ["0105000000000005", "0201000000000005", "0110000000000005", "0101010000000005"]
    identifiers = [bytes.fromhex(head) + bytes(4 * int(head[2:4], 16)) for head in heads]
    flags = SecurityHeaderFlags(ST=1)
    secured = [
        SecurityHeader(Flags=flags, SecurityData=SecurityData(SecurityID=identifier))
        for identifier in identifiers
    ]
    records = [UserMessage(UserHeader=user, MessagePropertiesHeader=header) for header in properties]
    records += [UserMessage(UserHeader=user, SecurityHeader=header) for header in secured]
    packets = [record.encode() for record in records]
    shown = _readings(tmp_path / "u.pcap", packets)
    assert shown == [_columns(data) for data in packets]
    assert [len(row["sender"]) for row in shown[len(properties) :]] == [1, 0, 0, 1]


def test_pdml_of_any_text(tmp_path: Path) -> None:
    """It is XML, whatever characters a sender puts into a text."""
    label = "\1\t\x1b\x7f\x9b\ud800\ufffe\uffff<&\"'\0"
    data = UserMessage(MessagePropertiesHeader=MessagePropertiesHeader(Label=label)).encode()
    pdml = run("-r", exported(tmp_path / "u.pcap", [("msmq", data)]), "-T", "pdml")
    root = ET.fromstring(pdml)  # noqa: S314  # ours
    for name in ("msmq.label", "msmq.messagepropertiesheader.label"):
        (field,) = root.iterfind(f".//field[@name='{name}']")
        assert "<&" in field.get("show", "")


def test_request_and_answer(small: Path) -> None:
    layers = captured(small, "-2")
    answers = [layer for layer in layers if layer.all("msmq.response_to")]
    requests = {layer.frame: layer for layer in layers if layer.all("msmq.response_in")}
    kinds = {layer.all("msmq.packet")[0] for layer in answers}
    assert kinds == {"EstablishConnection", "ConnectionParameters", "PingPacket"}
    for layer in answers:
        request = requests[int(layer.all("msmq.response_to")[0])]
        assert request.way == (*layer.way[2:], *layer.way[:2])
        assert int(request.all("msmq.response_in")[0]) == layer.frame
        assert float(layer.all("msmq.response_time")[0]) >= 0


def test_acknowledgments(tmp_path: Path) -> None:
    """A message that reports about another leads to the frame of that one."""
    source = GUID.of("557358d1-9150-9595-4997-b6e611ea26c6")
    queue = "DIRECT=OS:host\\queue"
    message = UserMessage(
        UserHeader=UserHeader(SourceQueueManager=source, MessageID=7, DestinationQueue=queue)
    )
    reports = [
        UserMessage(
            UserHeader=UserHeader(DestinationQueue=queue),
            MessagePropertiesHeader=MessagePropertiesHeader(
                MessageClass=2, CorrelationID=source.bytes_le + number.to_bytes(4, "little")
            ),
        )
        for number in (7, 8)
    ]
    packets = [("msmq", record.encode()) for record in (message, *reports)]
    layers = captured(exported(tmp_path / "p.pcap", packets), "-2")
    assert [layer.all("msmq.acknowledges") for layer in layers] == [[], ["1"], []]


def test_decode_as(moved: Path) -> None:
    """On a port that a person names, packets are read without the search for their mark."""
    blind = [layer for layer in captured(moved, "--disable-heuristic", "msmq_tcp") if "40123" in layer.way]
    named = captured(moved, "--disable-heuristic", "msmq_tcp", "-d", "tcp.port==40123,msmq")
    assert not blind
    assert len([layer for layer in named if "40123" in layer.way]) > 40


def test_any_port(small: Path, moved: Path) -> None:
    """Packets are known by their mark, on whatever port they come."""
    plain = [layer for layer in captured(small) if "1801" in layer.way]
    elsewhere = [layer for layer in captured(moved) if "40123" in layer.way]
    packets = [layer.all("msmq.packet") for layer in plain]
    assert len(packets) > 40
    assert [layer.all("msmq.packet") for layer in elsewhere] == packets


def test_columns_and_filters(written: Written) -> None:
    capture = written.captures[0]
    text = run("-r", capture, "-Y", "msmq.establishconnection", "-T", "fields", "-e", "_ws.col.Info")
    assert text.splitlines()[0].startswith("Establish connection request, client ")
    text = run(
        "-r", capture, "-Y", 'msmq.destination contains "DIRECT="', "-T", "fields", "-e", "msmq.destination"
    )
    assert text.count("DIRECT=") > 3
    text = run(
        "-r", capture, "-Y", 'msmq.userheader.senttime > "2020-01-01" and msmq.userheader.flags.dq == 7'
    )
    assert " MSMQ " in text


@pytest.mark.each(2)
@pytest.mark.parametrize("what", ["packets", "structures"])
def test_damage(tmp_path: Path, vectors: list[tuple[str, bytes, dict[str, Any]]], what: str) -> None:
    """Damaged packets: no fault of the dissector, and the same verdict as the library's."""
    if what == "packets":
        sound = [("msmq", data) for data in samples()]
    else:
        sound = [(kind, data) for kind, data, _ in vectors if kind != "msmq"]
    damaged = []
    for seed in range(600):
        kind, data = sound[seed % len(sound)]
        changed = mutate(data, seed, max_size=20_000).data if kind == "msmq" else bytes_changed(data, seed)
        damaged.append((kind, changed or b"\0"))
    layers = captured(exported(tmp_path / "d.pcap", damaged))
    assert not faults(layers)
    assert {layer.frame for layer in layers} == set(range(1, len(damaged) + 1))
    if what == "structures":
        first = {layer.frame: layer for layer in reversed(layers)}
        for number, (kind, data) in enumerate(damaged, 1):
            try:
                fields_of(kind, data)
            except DecodeError:
                assert malformed(first[number]), data.hex()
            else:
                assert not malformed(first[number]), data.hex()
    else:
        refused = [decode_lax(data).error is not None for _, data in damaged]
        assert 100 < sum(refused) < 560


def bytes_changed(data: bytes, seed: int) -> bytes:
    """The bytes with one of them changed, or cut off, or with some after them, as the number says."""
    at, how = seed * 7919 % len(data), seed % 4
    if how == 0:
        return data[:at]
    if how == 1:
        return data + bytes(seed % 5)
    return data[:at] + bytes([seed * 31 % 256]) + data[at + 1 :]


@pytest.mark.long
def test_damaged_streams(tmp_path: Path) -> None:
    """Losses, repeats, cuts and junk: no fault, and of what arrived whole most is read."""
    written = write_captures(tmp_path, packets=300, seed=9, files=1, faults=Faults.all())
    layers = captured(written.captures[0])
    assert not faults(layers)
    kinds = Counter(name for layer in layers for name in layer.all("msmq.packet"))
    assert sum(kinds.values()) > 200
