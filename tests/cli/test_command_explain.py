"""``msmq-wire explain``: what it reads, what it shows, and its status."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support_dumps import hexdump, od, wireshark, xxd
from support_specs import SPECS, load_vectors

from msmq_wire.cli import main

ROOT = SPECS.parent
SESSION = [vector for vector in load_vectors() if vector.source == "mqqb-4.1.toml"]
WHOLE = {vector.name: vector.data for vector in SESSION if not vector.truncated}
ASK = WHOLE["frame-5-connection-parameters-request"]
ACK = WHOLE["frame-8-session-acknowledgment"]
PING = WHOLE["frame-1-ping-request"]


def explained(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["explain", *words])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def heads(text: str) -> list[str]:
    return re.findall(r"^== (.+)$", text, re.MULTILINE)


@pytest.mark.parametrize(
    "form", [bytes, xxd, hexdump, od, wireshark, bytes.hex, lambda data: data.hex(" ").upper()]
)
def test_forms_of_input(
    form: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raw bytes, digits and dumps mean the same."""
    assert callable(form)
    made = form(ASK + ACK)
    feed(monkeypatch, made if isinstance(made, bytes) else made.encode())
    status, out, err = explained(capsys)
    assert (status, err) == (0, "")
    assert heads(out) == [
        "ConnectionParameters: 32 bytes at byte 0",
        "SessionAck: 36 bytes at byte 32",
    ]


def test_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "session.bin")
    Path(path).write_bytes(ACK)
    assert heads(explained(capsys, path)[1]) == ["SessionAck: 36 bytes at byte 0"]
    status, out, err = explained(capsys, path + "x")
    assert (status, out, err) == (1, "", f"msmq-wire: {path}x: No such file or directory\n")


def test_ping(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = explained(capsys, "--hex", PING.hex())
    assert (status, err) == (0, "")
    assert "PingPacket" in out


def test_kind(capsys: pytest.CaptureFixture[str]) -> None:
    """Structures of all documents can be named, and others cannot."""
    header = bytes(17) + b"\5"
    status, out, err = explained(capsys, "--kind", "BaseReplicationHeader", "--hex", header.hex())
    assert (status, err) == (0, "")
    assert "AlreadyPurgedMessage" in out
    status, out, err = explained(capsys, "--kind", "UserMessag", "--hex", "00")
    assert (status, out) == (2, "")
    assert "there is no structure 'UserMessag'; did you mean UserMessage?" in err
    status, out, err = explained(capsys, "--kind", "BaseReplicationHeader", "--hex", header.hex() + "00")
    sentence = "1 byte left over (limit: buffer) - at `BaseReplicationHeader`, byte 18"
    assert (status, err) == (1, f"msmq-wire: {sentence} (MQDSRP-2.2.6-01)\n")


def test_damage(capsys: pytest.CaptureFixture[str]) -> None:
    """What can be understood is shown; the first problem is one line."""
    status, out, err = explained(capsys, "--hex", (b"junk" + ASK + ACK[:-1]).hex())
    assert heads(out) == [
        "not a packet: 4 bytes at byte 0",
        "ConnectionParameters: 32 bytes at byte 4",
        "unreadable SessionAck: 35 bytes at byte 36",
    ]
    assert status == 1
    assert err.startswith("msmq-wire: ")
    assert err.endswith(" - at `BaseHeader.Signature`, byte 4 (one of 2 unreadable parts)\n")
    assert err.count("\n") == 1


def test_no_bytes_to_explain(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b"")
    assert explained(capsys) == (1, "", "msmq-wire: there are no bytes to explain\n")


def test_digits_and_files_are_told_apart(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The error says which of both was given in place of the other."""
    path = tmp_path / "session.bin"
    path.write_bytes(ACK)
    assert explained(capsys, ACK.hex()) == (
        2,
        "",
        "msmq-wire: expected a file, got hexadecimal digits: use --hex of explain or validate\n",
    )
    status, out, err = explained(capsys, "--hex", str(path))
    assert (status, out) == (2, "")
    assert err.endswith("found '/'; for a file, omit --hex\n")
    path.write_bytes(b"")
    assert explained(capsys, str(path)) == (1, "", f"msmq-wire: {path}: the file is empty\n")


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong words are one line, and status 2."""
    for words in (
        ["explain", "file", "--hex", "00"],
        ["nothing"],
        ["explain", "--nothing"],
        ["explain", "--limit", "0"],
    ):
        assert main(words) == 2
        shown = capsys.readouterr()
        assert (shown.out, shown.err.count("\n")) == ("", 1)
        assert shown.err.startswith("msmq-wire: ")


def test_reader_goes_away() -> None:
    """A reader that has seen enough is no error worth a traceback."""
    words = [sys.executable, "-m", "msmq_wire", "explain", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as process:  # noqa: S603  # our own command
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(ACK * 500)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141
