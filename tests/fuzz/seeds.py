"""Writes the seed corpus and the dictionary of every target: ``python seeds.py DIRECTORY``.

The vectors come from `specs`, everything else from the kit; with ``tests`` and ``src`` on the path.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import tomllib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from support_bent_sessions import BENDS
from support_sessions import Wire
from support_specs import load_annotated_vectors, load_value_vectors, load_vectors
from support_talk import Talk

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq, mqqb, mqrr, rpc, testing
from msmq_wire.documents.propid import PROPERTIES, VARTYPE

if TYPE_CHECKING:
    from collections.abc import Iterable

_VECTORS = Path(__file__).parents[2] / "specs" / "vectors"

__all__ = ["TARGETS", "seeds", "target", "write"]

TARGETS = tuple(sorted(path.stem for path in Path(__file__).parent.glob("fuzz_*.py")))
"""The names of the targets' modules."""
_NAMES = (
    "PUBLIC=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e;JOURNAL",
    "PRIVATE=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e\\0000000a",
    "MACHINE=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e;DEADXACT",
    "CONNECTOR=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e;XACTONLY",
    "DL=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e@domain.example",
    "MULTICAST=234.1.1.1:8001",
    "DIRECT=OS:server\\private$\\queue;sub;JOURNAL",
    "DIRECT=TCP:10.0.0.1\\SYSTEM$;DEADLETTER",
    "DIRECT=HTTPS://[fe80::1]:443/msmq/private$/queue",
    "DIRECT=IPX:00000012.00a0234f7500\\queue,DIRECT=SPX:12:0\\queue",
    "server\\private$\\queue;sub",
    ".\\queue;journal",
    "server\\SYSTEM$;DEADXACT",
    "PRIVATE=03020100-0504-0706-0809-0a0b0c0d0e0f\\0000000a",
    "PRIVATE=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e\\0000000a;JOURNAL",
    "DL=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e",
    "PUBLIC=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e,DL=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e,DIRECT=OS:a\\b",
    "PUBLIC=60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e,MULTICAST=234.1.1.1:8001",
    "DIRECT=TCP:10.0.0.1\\private$\\queue;sub",
)


def target(name: str) -> Any:
    """The module of a target."""
    return importlib.import_module(name)


@cache
def seeds(name: str) -> frozenset[bytes]:
    """The seed corpus of a target."""
    module = target(name)
    known = _SEEDS.get(name)
    return frozenset(known(module) if known else _of_kind(module.KIND))


def _published() -> dict[str, list[bytes]]:
    """The vectors by the packet that they are."""
    found: dict[str, list[bytes]] = {}
    vectors: list[Any] = [*load_vectors(), *load_annotated_vectors()]
    for vector in vectors:
        found.setdefault(vector.packet, []).append(vector.data)
    return found


@cache
def _of_kind(kind: str | None) -> tuple[bytes, ...]:
    published = _published()
    if kind == "replication":
        packets = [data for name, found in published.items() if name.endswith("Message") for data in found]
    elif kind == "notification":
        packets = published["ChangeNotificationMessage"]
    else:
        packets = [data for name, found in published.items() if name in _PACKETS for data in found]
    return testing.seed_corpus(kind, packets=packets)


_PACKETS = ("EstablishConnection", "ConnectionParameters", "UserMessage", "SessionAck")


def _streams(module: Any) -> Iterable[bytes]:
    heads = [bytes(module.HEAD), b"\xff" * module.HEAD]
    steps = range(module.HEAD)
    heads += [bytes((step * number + number // 3) & 0xFF for number in steps) for step in (41, 83, 97)]
    heads += [bytes((first, 31, 5, 43) * (module.HEAD // 4)) for first in (1, 29, 31)]
    for number, data in enumerate(_of_kind("stream")):
        for head in (heads[number % len(heads)], heads[-1 - number % 3]):
            yield head + data
    within = mqqb.SessionAck().encode()[:8] + (400).to_bytes(4, "little") + bytes(4)
    yield from (head + within * 80 for head in heads)  # headers of packets within packets


def _sessions(module: Any) -> Iterable[bytes]:
    """Sessions with the directions that they have, some out of order, with losses, or with Pings."""
    for number, session in enumerate([*_drawn_sessions(), *_illegal_sessions()]):
        ways = {packet.encode(): int(way == "<-") | number & 4 for way, packet in session}
        packets = [packet.encode() for _, packet in session]
        yield _planned(module, number, [(ways[data], data) for data in packets])
        for turn in range(2):
            bent, _ = testing.mutate_session(packets, 2 * number + turn)
            yield _planned(module, number, [(ways.get(data, 1), data) for data in bent])
        event = (module.GAP, module.DISCONNECT)[number & 1]
        held = [(ways[data] | (event if at == number % 7 else 0), data) for at, data in enumerate(packets)]
        yield _planned(module, number >> 1, held)
        yield _planned(module, number, [*_pings(number), *held, *_pings(number + 1)])


_ENDS: tuple[tuple[int, testing.Direction], ...] = ((1, "->"), (0, "<-"))
"""Which end an endpoint is, and who lies to it."""


def _endpoints(module: Any) -> Iterable[bytes]:
    """What each side of a session says to the other, whole and bent, in many kinds of pieces."""
    said: dict[Any, list[bytes]] = {"->": [], "<-": []}
    talk = Talk()
    for message in module.MESSAGES:
        talk.send(message)
    talk.connect()
    talk.settle()
    for way, packet in talk.tape:
        said[way].append(mw.encode(packet))
    for number, (role, way) in enumerate(_ENDS * 12):
        steps = bytes((number * 37 + at * (number % 5) * 11) & 0xFF for at in range(1, module.HEAD))
        head = bytes([role | number << 1 & 0x3E | (0x40 if number % 3 == 0 else 0)]) + steps
        yield head + b"".join(said[way])
        bent, _ = testing.mutate_session(said[way], number)
        yield head + b"".join(bent)


def _planned(module: Any, start: int, steps: list[tuple[int, bytes]]) -> bytes:
    """A seed whose packets have these choices, as far as there is room for them."""
    few = 0x80 if start % 3 == 0 else 0
    choices = bytes([start & 0x3F | few, *(choice for choice, _ in steps)])
    head: int = module.HEAD
    return choices[:head].ljust(head, b"\0") + b"".join(data for _, data in steps)


def _pings(number: int) -> list[tuple[int, bytes]]:
    """A Ping, and an answer that is right or not."""
    ask = mqqb.PingPacket(Cookie=number, QMGuid=mw.GUID(bytes(16)))
    answer = mqqb.PingPacket(Cookie=number + number % 3 // 2, QMGuid=mw.GUID(bytes([number % 5]) * 16))
    return [(0, ask.encode()), (1, answer.encode())]


def _drawn_sessions() -> list[list[tuple[testing.Direction, Any]]]:
    found: list[list[tuple[testing.Direction, Any]]] = []

    @seed(0)
    @settings(
        max_examples=60,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(testing.sessions())
    def collect(session: list[tuple[testing.Direction, Any]]) -> None:
        found.append(session)

    collect()
    return found


def _illegal_sessions() -> Iterable[list[tuple[testing.Direction, Any]]]:
    """One for each requirement that a monitor can report."""
    for bend in BENDS.values():
        for before in (0, 3):
            wire = Wire()
            wire.open()
            for _ in range(before):
                wire.transact("->")
            wire.settle()
            bend(wire, "->")
            yield list(wire.tape)


def _notifications(module: Any) -> Iterable[bytes]:
    for data in _of_kind(module.KIND):
        yield data
        if data[:1] == b"\2" and len(data) < 400:
            yield from (data[:1] + bytes([number]) + data[2:] for number in range(16))


def _rows(_: Any) -> Iterable[bytes]:
    for number, kind in enumerate((None, "replication")):
        packets = [data for data in _of_kind(kind) if len(data) < 600]
        for start in range(0, len(packets), 4):
            rows = [len(data).to_bytes(2, "little") + data for data in packets[start : start + 4]]
            for choice in (start // 4 * 5 & 0x7F, 0x60 | start // 4 * 3 & 0x1F):
                yield bytes([number << 7 | choice]) + b"".join(rows)
    change = mqdsrp.encode(mqdsrp.SyncReplyMessage(DirectoryChanges=[_variants()]))
    yield bytes([0x80]) + len(change).to_bytes(2, "little") + change


def _variants() -> mqdsrp.DirectoryChange:
    """A change of a property that is made of variants."""
    value = next(
        item for item in load_value_vectors() if item.number == VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR
    )
    (identifier, *_) = (known.number for known in PROPERTIES if known.vartype == value.number)
    return mqdsrp.DirectoryChange(
        PathName="machine",
        PropertyID=[identifier],
        PropertyValue=[mw.PropertyValue.decode(value.number, value.data)],
    )


def _values(module: Any) -> Iterable[bytes]:
    for vector in load_value_vectors():
        yield bytes([module.TYPES.index(vector.number)]) + vector.data
    for kind in range(len(module.TYPES)):
        for thing in range(16):
            yield bytes([kind, thing, 2, thing, 1, 4 + thing, 3])
            yield bytes([kind, 1, 0, 0, 0]) + bytes(thing)
        yield from (bytes([kind, 1, 0, 0, 0])[:size] for size in range(1, 5))
    variants = module.TYPES.index(VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR)
    for deep in range(11):
        yield bytes([variants]) + b"\1\0\0\0\x0c\x10" * deep + b"\0\0\0\0"


def _texts(module: Any) -> Iterable[bytes]:
    for name in _NAMES:
        for reader in range(len(module.READERS)):
            yield bytes([reader]) + name.encode()


def _records(module: Any) -> Iterable[bytes]:
    published = _published()
    from fuzz_records import ALONE  # noqa: PLC0415  # only three targets have it

    for number, structure in enumerate(ALONE):
        own = published.get(structure.name, ())
        for data in testing.seed_corpus(structure.name, count=12, packets=own):
            yield bytes([number]) + data
    if "records" not in module.__name__:
        for data in _of_kind(None):
            yield b"\xff" + data


def _plain(_: Any) -> Iterable[bytes]:
    for data in _of_kind(None):
        result = mw.decode_lax(data)
        if result.packet is not None:
            yield b"j" + json.dumps(mw.to_dict(result.packet)).encode()
    for data in _of_kind("replication"):
        result = mw.mqdsrp.decode_lax(data)
        if result.packet is not None:
            yield b"j" + json.dumps(mw.to_dict(result.packet)).encode()
    yield from (bytes(range(start, start + 60)) for start in range(0, 190, 7))
    for value in _VARIANTS:
        change = {"PathName": "a", "PropertyID": [105], "PropertyValue": [{"vt": 0x100C, "value": value}]}
        yield b"j" + json.dumps({"$structure": "DirectoryChange", **change}).encode()
    for kind in (mqqb.OrderAck, mqqb.FinalAck):
        plain = mw.to_dict(kind())
        plain["MessagePropertiesHeader"]["Label"] = "another"
        yield b"j" + json.dumps({"$structure": kind.__name__, **plain}).encode()


_VARIANTS: tuple[Any, ...] = (
    [
        {"vt": 0x13, "value": 5},
        {"vt": 0x1F, "value": "a"},
        {"vt": 0x100C, "value": [{"vt": 0, "value": None}]},
    ],
    [{"vt": 0x1012, "value": [1, 2]}, {"vt": 0x41, "value": "00ff"}, {"vt": 0x48, "value": "00" * 16}],
    [{"vt": 0x0C, "value": 5}],
    [{"vt": 1, "value": 5}],
    [{"vt": 5, "value": 5}],
    [{"vt": None}],
    [{"other": 1}],
    [7],
    7,
)
"""Values of a VT_VARIANT vector in JSON, and what is none."""


def _secrets(module: Any) -> Iterable[bytes]:
    """Certificates, blobs of keys, bodies and signatures, and messages that hold them."""
    from msmq_wire import crypto  # noqa: PLC0415  # only this target needs the extra

    public = module.KEY.public_key()
    for raw in module.certificates():
        yield b"\0\0" + raw
        header = module.MESSAGE.SecurityHeader
        held = mw.replace(header, SecurityData=mw.replace(header.SecurityData, SenderCert=raw))
        yield b"\6\0" + mw.encode(mw.replace(module.MESSAGE, SecurityHeader=held))
    for algorithm in (0x2400, 0xA400):
        yield b"\1\0" + crypto.public_key_to_blob(public, algorithm).encode()
        yield b"\2\0" + crypto.public_key_to_sender_key(public, algorithm).encode()
    for number, (cipher, size) in enumerate(zip(module.CIPHERS, module.SIZES, strict=True)):
        yield bytes([3, number]) + crypto.session_key_to_blob(bytes(size), cipher, public).encode()
        if (cipher, size) != (0x6602, 5):
            yield bytes([4, number]) + crypto.encrypt(b"what is in clear", bytes(size), cipher)
            secret = crypto.encrypt_body(module.MESSAGE, bytes(size), cipher, public_key=public)
            yield b"\6\0" + mw.encode(secret)
    for number in range(5):
        yield bytes([5, number]) + module.MESSAGE.SecurityHeader.SecurityData.Signature


def _calls(module: Any) -> Iterable[bytes]:
    """What calls carry, by hand, in both alignments; and messages in sections."""
    vectors = tomllib.loads((_VECTORS / "calls.toml").read_text("utf-8"))["call"]
    for vector in vectors:
        kinds = range(0x80, 0x100) if vector.get("ms_union") else range(0x80)
        name = vector["structure"]
        number = next(kind for kind in kinds if module.NAMES[kind % len(module.NAMES)] == name)
        yield bytes([number]) + b"".join(bytes.fromhex(octets) for _, octets in vector["octets"])
    for number, name in enumerate(module.NAMES[:-1]):
        yield bytes([number]) + getattr(rpc, name)().encode()
    texts = (
        "PUBLIC=00112233-4455-6677-8899-aabbccddeeff;JOURNAL",
        "DIRECT=OS:h\\q;s",
        "MULTICAST=224.1.2.3:1",
    )
    for text in texts:
        yield bytes([module.NAMES.index("QUEUE_FORMAT")]) + rpc.QUEUE_FORMAT.of(text).encode()
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:h\\q"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"what is said"),
    )
    for extension in (None, mqrr.ExtensionHeader()):
        for most in (0, 5, 12):
            packet = mqrr.MessagePacket(UserMessage=message, ExtensionHeader=extension)
            sections = rpc.split_message(packet, most)
            yield bytes([len(module.NAMES) - 1]) + rpc.encode_sections(sections)


@cache
def _small_captures() -> tuple[bytes, ...]:
    """Small captures of all forms, half of them with faults."""
    from msmq_wire.testing.captures import Faults, write_captures  # noqa: PLC0415  # needs the extra captures

    forms = ("pcap", "pcapng", "pcap.gz", "pcapng.gz")
    found = []
    with TemporaryDirectory() as place:
        for number in range(8):
            faults = Faults.all() if number & 4 else Faults()
            done = write_captures(
                Path(place, str(number)), 3, seed=number, faults=faults, files=1, managers=5,
                form=forms[number % 4],  # type: ignore[arg-type]  # one of the literals
            )  # fmt: skip
            found.append(done.captures[0].read_bytes())
    return tuple(found)


def _captures(module: Any) -> Iterable[bytes]:
    for number, data in [*enumerate(_small_captures()), *enumerate(_of_kind("stream")[:24])]:
        yield bytes([number, number])[: module.HEAD] + data


def _files(module: Any) -> Iterable[bytes]:
    """What each verb reads: captures, packets, hexadecimal text, JSON."""
    held = list(_small_captures()[::2])
    packets = sorted(_of_kind(None))[:6]
    held += packets
    for data in packets[:3]:
        held.append(data.hex(" ").encode())
        held.append(b"00000000: " + data[:16].hex(" ").encode() + b"  ................\n")
        result = mw.decode_lax(data)
        if result.packet is not None:
            held.append(json.dumps(mw.to_dict(result.packet)).encode())
    held += [b"type=UserMessage", b"size>100"]
    for number in range(len(module.WORDS)):
        yield from (bytes([number]) + data for data in held)


_SEEDS = {
    "fuzz_captures": _captures,
    "fuzz_commands": _files,
    "fuzz_dissector": _records,
    "fuzz_calls": _calls,
    "fuzz_crypto": _secrets,
    "fuzz_stream": _streams,
    "fuzz_flow": _streams,
    "fuzz_sessions": _sessions,
    "fuzz_endpoints": _endpoints,
    "fuzz_notification": _notifications,
    "fuzz_arrow": _rows,
    "fuzz_property_values": _values,
    "fuzz_format_names": _texts,
    "fuzz_records": _records,
    "fuzz_explain": _records,
    "fuzz_validate": _records,
    "fuzz_from_dict": _plain,
}


def write(directory: Path) -> None:
    """Write ``NAME_seed_corpus/`` and ``NAME.dict`` for every target."""
    words = testing.dictionary()
    for name in TARGETS:
        corpus = directory / f"{name}_seed_corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        for data in seeds(name):
            (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
        (directory / f"{name}.dict").write_text(words, encoding="ascii")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
