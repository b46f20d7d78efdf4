"""What is given in place of a packet by mistake is named, with what to do; good packets do not pay for it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import pickle
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from support_rows import for_each, table

import msmq_wire as mw
from msmq_wire import mqmq, mqqb, mqrr, session
from msmq_wire import testing as mt
from msmq_wire.packets.mistaken import CAPTURES, PACKED, capture_name, mistaken, packing_name

PACKET = mw.encode(mqqb.SessionAck())
READ = mw.encode(mqrr.MessagePacket(UserMessage=mqmq.UserMessage(), ExtensionHeader=mqrr.ExtensionHeader()))

# pcap, also with nanoseconds and of "modified" kind, in both byte orders; pcapng.
MAGIC = table(
    lambda: {
        **{bytes.fromhex(order): "pcap" for order in ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1")},
        **{bytes.fromhex(order): "pcap" for order in ("a1b2cd34", "34cdb2a1")},
        bytes.fromhex("0a0d0d0a"): "pcapng",
    }
)
"""Captures by their first bytes."""


def _of_arrow(name: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, name) as stream:
        stream.write(PACKET)
    return bytes(sink.getvalue())


@for_each(
    ("data", "said"),
    lambda: [
        *((magic + bytes(40), "capture: read it with msmq_wire.captures.read(path)") for magic in CAPTURES),
        (gzip.compress(PACKET, mtime=0), "compressed with gzip: decompress them"),
        (bz2.compress(PACKET), "compressed with bzip2: decompress them"),
        (lzma.compress(PACKET), "compressed with xz: decompress them"),
        (_of_arrow("zstd"), "compressed with zstd: decompress them"),
        (_of_arrow("lz4"), "compressed with lz4: decompress them"),
        (PACKET.hex().encode(), "hexadecimal text: decode bytes.fromhex(text)"),
        (PACKET.hex(" ").encode(), "hexadecimal text"),
        (b"  " + PACKET.hex(":").upper().encode(), "hexadecimal text"),
        (b64encode(PACKET), "base64 text: decode base64.b64decode(text)"),
        (b64encode(b"a letter, and no packet"), "this is not a packet"),
        (b"EMAL=", "expected 0x10, found 0x45; this is not a packet"),
        (b"\0", "expected 0x10, found 0x0; this is not a packet"),
        (b"HTTP", "expected 0x10, found 0x48; this is not a packet"),
        (PACKET[:4] + b"LIQ", "expected 0x524f494c, found 0x51494c; this is not a packet"),
        (pickle.dumps({"path": "x" * 20}), "a pickle"),
        (pickle.dumps({"path": "x" * 20})[:-1], "this is not a packet"),
        (b"\x80\x09" + bytes(20) + b".", "this is not a packet"),
        (b"\x00\x04" + bytes(20) + b".", "this is not a packet"),
        (bytes(14) + b"\x45" + bytes(39) + PACKET, "a packet may begin at byte 54: msmq_wire.carve finds it"),
        (b"HTTP/1.1 200 OK\r\n\r\n", "these bytes are HTTP"),
        (b"POST /msmq/private$/q HTTP/1.1\r\n", "these bytes are HTTP"),
        (b"PROPFIND /a HTTP/1.1\r\n", "these bytes are HTTP"),
        (b"RPC_IN_DATA /rpc/rpcproxy.dll?a:593 HTTP/1.1\r\n", "these bytes are HTTP"),
        (b"GETTING nowhere with text", "this is not a packet"),
        (b"\x16\3\1\0\x50\1\0\0\x4c\3\3" + bytes(9), "these bytes are TLS"),
        (b"\x16\3\1\x50\0\1\0\0\x4c\3\3" + bytes(9), "this is not a packet"),
        (bytes.fromhex("15030300020228"), "expected 0x10, found 0x15; these bytes are TLS"),
        (b"HTTP/1.", "expected 0x10, found 0x48; these bytes are HTTP"),
        (b"HTTP/1.1 400", "expected 0x524f494c, found 0x312e312f; these bytes are HTTP"),
        (gzip.compress(PACKET, mtime=0)[:3], "compressed with gzip"),
        (
            b"PK\3\4" + bytes(40),
            "these bytes are a ZIP archive, which is not read; unpack it with: unzip FILE",
        ),
        (
            b"a/b".ljust(257, b"\0") + b"ustar" + bytes(250),
            "these bytes are a tar archive, which is not read",
        ),
        (
            b"PAR1\x15\4\x15" + bytes(40),
            "these bytes are a table in Parquet, which is no capture; read it with a program for tables",
        ),
        (b"\1\2\3\4\5\6\7\0DUCK" + bytes(40), "these bytes are a database of DuckDB"),
        (
            b"snoop\0\0\0" + bytes(40),
            "these bytes are a capture of Solaris snoop, which is not read; convert",
        ),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "these bytes are SSH"),
        (b"\0\0\0\x54\xfeSMB" + bytes(20), "these bytes are SMB"),
        (b"\5\0\x0b\3\x10\0\0\0\x48\0\0\0" + bytes(9), "these bytes are RPC"),
        (b"AMQP\0\0\x09\1", "expected 0x524f494c, found 0x1090000; these bytes are AMQP"),
        (b"AMQP\3\1\0\0AMQP\0\1\0\0", "these bytes are AMQP"),
        (bytes.fromhex("030000130ed000001234000209080002000000"), "these bytes are RDP"),
        (bytes.fromhex("0300000b06d00000123400"), "expected 0x524f494c, found 0xd006; these bytes are RDP"),
        (bytes(40), "this is not a packet"),
    ],
)
def test_what_is_no_packet(data: bytes, said: str) -> None:
    """One text, whoever says it, and the facts that other errors have."""
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(data)
    assert said in caught.value.problem
    assert str(mw.decode_lax(data).error) == str(caught.value)
    assert mw.explain(data).splitlines()[-1] == f"error: {caught.value}"


@for_each(
    ("data", "said"),
    lambda: [
        *((magic + bytes(40), f"begin a {name} capture: read it") for magic, name in MAGIC().items()),
        *((bytes([0x80, number]) + bytes(20) + b".", "a pickle") for number in (2, 3, 4, 5)),
        *((bytes([0x80, number]) + bytes(20) + b".", "this is not a packet") for number in (1, 6)),
        (b"z" + PACKET, "a packet may begin at byte 1: msmq_wire.carve finds it"),
        (b"z" + PACKET[1:], "this is not a packet"),
        (b"z" + PACKET[1:] + PACKET, "a packet may begin at byte 36: msmq_wire.carve finds it"),
        (bytes(248) + PACKET, "a packet may begin at byte 248: msmq_wire.carve finds it"),
        (bytes(249) + PACKET, "this is not a packet"),  # the first 256 bytes are searched
    ],
)
def test_what_else_is_no_packet(data: bytes, said: str) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(data)
    assert said in caught.value.problem


@for_each("data", lambda: [PACKET[:size] for size in range(16)], ids=len)
def test_the_beginning_of_a_packet_is_only_short(data: bytes) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(data)
    assert "not a packet" not in caught.value.problem


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (READ, '12 bytes left over; these bytes are a MessagePacket: decode(data, "MessagePacket")'),
        (mw.encode(mqmq.UserMessage()) + PACKET, "; another packet follows: PacketStream separates them"),
        (READ[:-4], "8 bytes left over"),
    ],
)
def test_advice_on_bytes_left_over(data: bytes, said: str) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(data)
    assert caught.value.problem.endswith(said)
    assert caught.value.requirement == "MQMQ-2.2.19.1-31"


def test_advice_on_bytes_left_over_holds() -> None:
    assert mw.encode(mw.decode(READ, "MessagePacket")) == READ
    packets = mw.PacketStream().feed(mw.encode(mqmq.UserMessage()) + PACKET)
    assert [type(packet).__name__ for packet in packets] == ["UserMessage", "SessionAck"]


def test_good_packets_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes) -> str:
        raise AssertionError(data)

    monkeypatch.setattr("msmq_wire.packets.mistaken.mistaken", fail)
    assert mw.decode(PACKET) == mqqb.SessionAck()
    with pytest.raises(mw.DecodeError):
        mw.decode(PACKET[:-1])
    assert mistaken(PACKET) == ""


@pytest.mark.parametrize(
    "call",
    [
        mw.decode,
        mw.decode_lax,
        mw.explain,
        mw.carve,
        mqqb.SessionAck.decode,
        "feed",
        lambda data: mt.mutate(data, 1),
        lambda data: mt.mutants(data, 1),
    ],
)
def test_what_are_no_bytes(call: Any) -> None:
    call = mw.PacketStream().feed if call == "feed" else call
    for given, said in (
        (PACKET.hex(), "got str: use bytes.fromhex(text)"),
        (Path("x.bin"), "use path.read_bytes()"),
        (5, "got int"),
        (None, "got NoneType"),
    ):
        with pytest.raises(TypeError) as caught:
            call(given)
        assert re.match("expected bytes( or a record)?, got ", str(caught.value))
        assert said in str(caught.value)


@pytest.mark.parametrize("call", [mw.validate, mw.to_dict, mw.replace, mw.encode])
def test_what_is_no_record(call: Any) -> None:
    with pytest.raises(TypeError, match=r"^expected a record, got bytes: use msmq_wire.decode\(data\)$"):
        call(PACKET)
    for given in ("text", None, 5):
        with pytest.raises(TypeError, match=f"^expected a record, got {type(given).__name__}$"):
            call(given)
    with pytest.raises(
        TypeError, match=r"^expected a record, got the class SessionAck: create one with Sess"
    ):
        call(mqqb.SessionAck)


def test_names_are_guessed_by_the_kit_for_fuzzers() -> None:
    for call in (mt.valid, mt.calls, lambda name: mt.mutate(PACKET, 1, kind=name)):
        with pytest.raises(ValueError, match=r"no structure 'QUEUEFORMAT|SesionAck'.*; did you mean \w+\?$"):
            call("QUEUEFORMAT" if call is mt.calls else "SesionAck")
    with pytest.raises(ValueError, match=r"; did you mean SessionAck\?$"):
        mt.bent_packets(kind="SesionAck")
    with pytest.raises(ValueError, match=r"; did you mean MQQB-2\.2\.2\.1-04\?$"):
        mt.bent_packets("MQQB-2.2.2.1-4")


def test_names_of_fields_are_guessed() -> None:
    for call in (
        lambda: mw.Record.class_of("SessionAck")(SesionHeader=1),
        lambda: mw.replace(mqqb.SessionAck(), SesionHeader=1),  # type: ignore[call-overload]  # it is the error
        lambda: mw.from_dict({"SesionHeader": {}}, "SessionAck"),
    ):
        with pytest.raises(mw.EncodeError, match=r"^no such field; did you mean SessionHeader\?"):
            call()  # type: ignore[no-untyped-call]  # mypy knows no type of what is wrong


def test_the_part_that_has_a_field_is_named() -> None:
    for call in (
        lambda: mqmq.UserMessage(MessageBody=b""),  # type: ignore[call-arg]  # it is the error
        lambda: mw.replace(mqmq.UserMessage(), MessageBody=b""),  # type: ignore[call-overload]  # likewise
        lambda: mw.from_dict({"MessageBody": ""}, "UserMessage"),
    ):
        with pytest.raises(
            mw.EncodeError, match=r"^no such field; MessagePropertiesHeader has it - at `User"
        ):
            call()
    with pytest.raises(mw.EncodeError, match=r"^no such field - at"):
        mw.from_dict({"Zebra": ""}, "UserMessage")


def test_an_endpoint_takes_a_queue_manager() -> None:
    with pytest.raises(TypeError, match=r"^manager: expected a QueueManager, got str$"):
        session.Initiator("557358d1-9150-9595-4997-b6e611ea26c6")  # type: ignore[arg-type]  # it is the error


def test_a_path_name_is_no_format_name() -> None:
    with pytest.raises(mw.EncodeError, match="write a path name after DIRECT=OS:"):
        mw.format_names.parse_format_name(r".\private$\orders")


def test_names_of_structures_are_guessed() -> None:
    with pytest.raises(ValueError, match=r"no structure 'SesionAck'; did you mean SessionAck\?"):
        mw.decode(PACKET, "SesionAck")
    with pytest.raises(mw.EncodeError, match="no structure 'UserMesage'; did you mean UserMessage"):
        mw.from_dict({}, "UserMesage")


@pytest.mark.each(12)
@pytest.mark.parametrize(
    ("statement", "missing", "module", "extra"),
    [
        ("import msmq_wire.arrow", "numpy", "arrow", "arrow"),
        ("import msmq_wire.arrow", "pyarrow", "arrow", "arrow"),
        ("import msmq_wire.captures", "pyarrow", "captures", "captures"),
        ("import msmq_wire.captures", "numpy", "captures", "captures"),
        ("import msmq_wire.crypto", "cryptography", "crypto", "crypto"),
        ("import msmq_wire.scapy", "scapy", "scapy", "scapy"),
        ("import msmq_wire.testing.captures", "pyarrow", "testing.captures", "captures,testing"),
        ("import msmq_wire.testing.captures", "hypothesis", "testing.captures", "captures,testing"),
        ("from msmq_wire.spark import register", "pyspark", "spark", "spark"),
        ("from msmq_wire.spark import Pipeline", "pyspark", "spark", "spark"),
    ],
)
def test_a_missing_extra_is_one_sentence(statement: str, missing: str, module: str, extra: str) -> None:
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}; sys.modules[{missing!r}] = None\n"
        f"try: {statement}\nexcept ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  # our own
    command = f"pip install 'msmq_wire[{extra}]'"
    assert done.stdout == f"msmq_wire.{module} needs the package {missing}: {command}\n"


def test_formats_by_their_first_bytes() -> None:
    packed = {"gzip": "1f8b", "bzip2": "425a68", "xz": "fd377a585a00", "zstd": "28b52ffd", "lz4": "04224d18"}
    assert MAGIC() == CAPTURES
    assert {name: magic.hex() for magic, name in PACKED.items()} == packed
    for magic, name in (*MAGIC().items(), *((bytes.fromhex(magic), name) for name, magic in packed.items())):
        assert capture_name(magic + b"x") == name
        assert capture_name(b"x" + magic) == capture_name(magic[:-1]) == ""
        assert packing_name(magic + b"x") == (name if name in packed else "")
