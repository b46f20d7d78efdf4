"""Bodies that are decrypted with the receiver's private key, in tables and in the command."""

from __future__ import annotations

import json
import pickle
import struct
import sys
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

import msmq_wire as mw
from msmq_wire import captures, crypto, mqmq
from msmq_wire.cli import main

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "a secret order"
QUEUE = "DIRECT=OS:server\\private$\\orders"


@pytest.fixture(scope="module")
def key() -> Any:
    return rsa.generate_private_key(65537, 2048)


@pytest.fixture(scope="module")
def other() -> Any:
    return rsa.generate_private_key(65537, 2048)


def pem(key: Any, *, password: bytes = b"") -> bytes:
    protection = BestAvailableEncryption(password) if password else NoEncryption()
    data: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection)
    return data


@pytest.fixture(scope="module")
def messages(key: Any) -> list[Any]:
    plain = mqmq.UserMessage.of(MessageBody=TEXT.encode(), DestinationQueue=QUEUE)
    typed = mw.replace(plain, {"MessagePropertiesHeader.BodyType": 8})
    wide = mw.replace(typed, {"MessagePropertiesHeader.MessageBody": TEXT.encode("utf-16-le")})
    secret = [
        crypto.encrypt_body(message, bytes(range(32)), public_key=key.public_key())
        for message in (plain, wide)
    ]
    return [plain, *secret]


@pytest.fixture
def file(messages: list[Any], tmp_path: Path) -> Path:
    path = tmp_path / "captured.packets"
    path.write_bytes(b"".join(message.encode() for message in messages))
    return path


def rows_of(file: Path, **settings: Any) -> list[dict[str, Any]]:
    tables = captures.tables(file, ["messages"], captures.Settings(**settings))
    rows: list[dict[str, Any]] = tables["messages"].read_all().to_pylist()
    return rows


def test_only_bodies_are_decrypted(file: Path, key: Any, other: Any) -> None:
    """Only bodies change; without a key that fits, a row says that its body stays encrypted."""
    sealed = rows_of(file)
    assert [row["body_form"] for row in sealed] == ["UTF-8", "encrypted", "encrypted"]
    keys = crypto.PrivateKey(pem(other)), crypto.PrivateKey(pem(key))
    opened = rows_of(file, keys=keys)
    assert [row["text"] for row in opened] == [TEXT] * 3
    assert [row["body_form"] for row in opened] == ["UTF-8", "UTF-8", "VT_BSTR"]
    changed = {"body", "body_form", "text", "problems"}
    for before, after in zip(sealed, opened, strict=True):
        assert {name for name in before if before[name] != after[name]} <= changed
        assert before["problems"] == after["problems"]
    closed = rows_of(file, keys=keys[:1])
    assert [row["body_form"] for row in closed] == ["UTF-8", "encrypted", "encrypted"]
    assert [len(row["problems"] or ()) for row in closed] == [0, 1, 1]
    assert closed[1]["problems"][0].startswith("the body stays encrypted: ")


def test_several_processes(file: Path, key: Any) -> None:
    """A key reaches them, and is not shown."""
    own = crypto.PrivateKey(pem(key))
    again = pickle.loads(pickle.dumps(own))  # noqa: S301  # our own bytes
    assert rows_of(file, keys=(again,)) == rows_of(file, keys=(own,))
    assert repr(captures.Settings(keys=(own,))).count("PrivateKey(2048 bits)") == 1


def test_the_command(file: Path, key: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(pem(key))
    assert main(["messages", str(file), "--key", str(path)]) == 0
    assert [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()] == [TEXT] * 3
    assert main(["explain", str(file), "--key", str(path)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("== decrypted") == 2
    assert shown.count(TEXT) >= 2
    assert main(["explain", str(file), "--key", str(path), "--json"]) == 0
    bodies = [
        json.loads(line)["MessagePropertiesHeader"]["MessageBody"]
        for line in capsys.readouterr().out.splitlines()
    ]
    assert bodies[:2] == [TEXT.encode().hex()] * 2
    output = tmp_path / "tables"
    assert main(["tables", str(file), "--output", str(output), "--key", str(path)]) == 0
    secret = pem(key).splitlines()[5]
    number = struct.pack(">Q", key.private_numbers().d & (1 << 64) - 1)
    for written in output.rglob("*"):
        if written.is_file():
            data = written.read_bytes()
            assert secret not in data
            assert number not in data


@pytest.mark.each(2)
@pytest.mark.parametrize("command", ["messages", "explain", "explain --json", "tables"])
def test_a_key_that_does_not_fit(
    command: str, file: Path, other: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says how many bodies stay encrypted; it is no failure, since a key is that of one receiver."""
    path = tmp_path / "key.pem"
    path.write_bytes(pem(other))
    output = ["--output", str(tmp_path / "made")] if command == "tables" else []
    name, *form = command.split()
    assert main([name, str(file), *form, "--key", str(path), *output]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "encrypted" in line]
    closed = sum(row["body_form"] == "encrypted" for row in rows_of(file))
    assert closed > 0
    assert notes == [f"msmq-wire: bodies that stay encrypted, because no key fits: {closed}"]


def test_without_the_extra(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence says what is missing."""
    monkeypatch.delitem(sys.modules, "msmq_wire.crypto")
    monkeypatch.setitem(sys.modules, "msmq_wire.crypto.messages", None)
    assert main(["messages", str(file), "--key", str(tmp_path / "key.pem")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("msmq-wire: ")


def test_other_forms_of_keys(file: Path, key: Any) -> None:
    der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    old = key.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates  # noqa: PLC0415

    pfx = serialize_key_and_certificates(b"n", key, None, None, NoEncryption())
    for data in (der, old, pfx):
        assert rows_of(file, keys=(crypto.PrivateKey(data),))[1]["text"] == TEXT


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "expected an RSA private key in PEM, DER or PKCS #12"),
        (b"-----BEGIN nothing", "expected an RSA private key in PEM, DER or PKCS #12"),
        ("password", "the private key has a password: remove it first"),
        ("ec", "expected an RSA private key, got"),
        (None, "No such file or directory"),
    ],
)
def test_keys_that_are_none(
    content: Any, problem: str, file: Path, key: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "key.pem"
    if content == "password":
        content = pem(key, password=b"x")
    if content == "ec":
        content = pem(ec.generate_private_key(ec.SECP256R1()))
    if content is not None:
        path.write_bytes(content)
    assert main(["messages", str(file), "--key", str(path)]) == 2
    assert f"{path}: {problem}" in capsys.readouterr().err
