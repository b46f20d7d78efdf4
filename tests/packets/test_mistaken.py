"""What is given in place of a packet by mistake is named, with what to do; good packets do not pay for it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import msmq_wire as mw
from msmq_wire import mqqb
from msmq_wire.packets import packet as packets
from msmq_wire.packets.mistaken import CAPTURES, PACKED, mistaken

PACKET = mw.encode(mqqb.SessionAck())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        *((magic + bytes(40), "capture: read it with msmq_wire.captures.read(path)") for magic in CAPTURES),
        *((magic + bytes(40), f"packed with {name}: unpack them") for magic, name in PACKED.items()),
        (PACKET.hex().encode(), "hexadecimal text: decode bytes.fromhex(text)"),
        (PACKET.hex(" ").encode(), "hexadecimal text"),
        (b"  " + PACKET.hex(":").upper().encode(), "hexadecimal text"),
        (pickle.dumps({"path": "x" * 20}), "a pickle"),
        (b"HTTP/1.1 200 OK\r\n\r\n", "this is no packet"),
        (bytes(40), "this is no packet"),
    ],
)
def test_what_is_no_packet(data: bytes, said: str) -> None:
    """One text, whoever says it, and the facts that other errors have."""
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(data)
    assert said in caught.value.problem
    assert str(mw.decode_lax(data).error) == str(caught.value)
    assert mw.explain(data).splitlines()[-1] == f"error: {caught.value}"


def test_good_packets_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes) -> str:
        raise AssertionError(data)

    monkeypatch.setattr(packets, "mistaken", fail)
    assert mw.decode(PACKET) == mqqb.SessionAck()
    with pytest.raises(mw.DecodeError):
        mw.decode(PACKET[:-1])
    assert mistaken(PACKET) == ""


@pytest.mark.parametrize("call", [mw.decode, mw.decode_lax, mw.explain, mqqb.SessionAck.decode, "feed"])
def test_what_are_no_bytes(call: Any) -> None:
    call = mw.PacketStream().feed if call == "feed" else call
    for given, said in (
        (PACKET.hex(), "this is str: give bytes.fromhex(text)"),
        (Path("x.bin"), "give path.read_bytes()"),
        (5, "this is int"),
        (None, "this is NoneType"),
    ):
        with pytest.raises(TypeError) as caught:
            call(given)
        assert str(caught.value).startswith("bytes are wanted, and ")
        assert said in str(caught.value)


def test_names_of_structures_are_guessed() -> None:
    with pytest.raises(ValueError, match=r"no structure 'SesionAck'; did you mean SessionAck\?"):
        mw.decode(PACKET, "SesionAck")
    with pytest.raises(mw.EncodeError, match="UserMesage is no structure; did you mean UserMessage"):
        mw.from_dict({}, "UserMesage")


@pytest.mark.parametrize(
    ("name", "missing", "extra"),
    [
        ("msmq_wire.arrow", "numpy", "arrow"),
        ("msmq_wire.arrow", "pyarrow", "arrow"),
        ("msmq_wire.captures", "pyarrow", "captures"),
        ("msmq_wire.captures", "numpy", "captures"),
        ("msmq_wire.crypto", "cryptography", "crypto"),
        ("msmq_wire.spark.register", "pyspark", "spark"),
        ("msmq_wire.spark.Pipeline", "pyspark", "spark"),
    ],
)
def test_a_missing_extra_is_one_sentence(name: str, missing: str, extra: str) -> None:
    module, _, attribute = name.removeprefix("msmq_wire.").partition(".")
    statement = f"from msmq_wire.{module} import {attribute}" if attribute else f"import msmq_wire.{module}"
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}; sys.modules[{missing!r}] = None\n"
        f"try: {statement}\nexcept ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  # our own
    command = f"pip install 'msmq_wire[{extra}]'"
    assert done.stdout == f"msmq_wire.{extra} needs the package {missing}: {command}\n"
