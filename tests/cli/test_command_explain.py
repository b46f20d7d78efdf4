"""``msmq-wire explain``: what it reads, what it shows, and its status."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest
from support_specs import SPECS, load_vectors

from msmq_wire.cli import main
from msmq_wire.cli.inputs import from_hex
from msmq_wire.values.errors import MsmqWireError

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


def xxd(data: bytes) -> str:
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{at:08x}: {row.hex(' ', -2):<39}  {shown}")
    return "\n".join(lines) + "\n"


def tcpdump(data: bytes) -> str:
    """As ``tcpdump -X`` prints it."""
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        words = " ".join(row[pair : pair + 2].hex() for pair in range(0, len(row), 2))
        lines.append(f"\t{at:#06x}:  {words:<39}  {characters(row)}")
    return "\n".join(lines)


def wireshark(data: bytes) -> str:
    """As Wireshark copies it."""
    rows = {at: data[at : at + 16] for at in range(0, len(data), 16)}
    return "\n".join(f"{at:04x}   {row.hex(' '):<47}   {characters(row)}" for at, row in rows.items()) + "\n"


def characters(row: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)


def hexdump(data: bytes) -> str:
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        digits = f"{row[:8].hex(' ')}  {row[8:].hex(' ')}"
        lines.append(f"{at:08x}  {digits:<48}  |{characters(row)}|")
    return "\n".join([*lines, f"{len(data):08x}"]) + "\n"


def od(data: bytes) -> str:
    """As ``od -A x -t x1z`` prints it."""
    rows = {at: data[at : at + 16] for at in range(0, len(data), 16)}
    lines = [f"{at:06x} {row.hex(' '):<47}  >{characters(row)}<" for at, row in rows.items()]
    return "\n".join([*lines, f"{len(data):06x}"]) + "\n"


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


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_dumps_stand_for_their_bytes(data: bytes) -> None:
    for text in (
        *(form(data) for form in (xxd, hexdump, od, tcpdump, wireshark)),
        re.sub(r"  >.*", "", od(data)),
        "\n".join(line[:54].rstrip() for line in wireshark(data).splitlines()),
        *(data.hex(), data.hex(":"), data.hex("-").upper(), data.hex(" ", 4)),
        "{" + ", ".join(f"{byte:#04x}" for byte in data) + "\n};\n",
        "b'" + "".join(f"\\x{byte:02x}" for byte in data) + "'",
    ):
        assert from_hex(text) == data


def test_digits_with_prefixes_take_linear_time() -> None:
    for text in (
        r"\x10" + " " * 2_000_000 + "!",
        "0x10, " * 500_000 + "0x1",
        "10-" * 1_000_000,
        "0000  " + "10 " * 999_999 + "g",
        "0000: " + "10 " * 999_999 + "g",
        "0000: " + "10" * 999_999 + "g",
        "000000 10\n" + "000010 10  >.<\n" * 200_000 + "g",
    ):
        with pytest.raises(MsmqWireError):  # in quadratic time, it would take hours
            from_hex(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("xyz", "expected hexadecimal text, two digits a byte, found 'x'"),
        ("12 3", "expected hexadecimal text, two digits a byte, found 3 digits"),
        (
            b64encode(ACK).decode(),
            "expected hexadecimal text, two digits a byte, found base64: convert it with base64 -d",
        ),
        ("00000000: 10c0  ..\n00000010: 0b00  ..", "line 2 of the dump does not begin with the offset 0x2"),
        (
            "00000000  10 c0  |..|\n*\n00000040",
            "line 2 of the dump stands for omitted lines: dump them all, with -v",
        ),
        ("000000 10 c0  >..<\n000003", "line 2 of the dump does not begin with the offset 0x2"),
        ("000000 10 c0  >..<\n000010 0b", "expected hexadecimal text, two digits a byte, found '>'"),
        ("00000000: 1  .", "line 1 of the dump is not hexadecimal"),
        ("a file: of text", "the text is neither hexadecimal digits nor a dump of xxd or hexdump -C"),
        ("root:x:0:0:", "the text is neither hexadecimal digits nor a dump of xxd or hexdump -C"),
        ("00000040: 10c0  ..", "line 1 of the dump does not begin with the offset 0x0"),
        ("0000   10 c0\n0010   0b 00", "line 2 of the dump does not begin with the offset 0x2"),
        ("0000   10 c0 0g   ...", "line 1 of the dump is not hexadecimal"),
    ],
)
def test_texts_that_are_no_bytes(text: str, problem: str) -> None:
    with pytest.raises(MsmqWireError) as caught:
        from_hex(text)
    assert str(caught.value) == problem


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
    assert (status, err) == (
        1,
        "msmq-wire: 1 byte left over (limit: buffer) - at `BaseReplicationHeader`, byte 18\n",
    )


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
    assert err.endswith(" - at `BaseHeader.Signature`, byte 4 (the first of 2 unreadable parts)\n")
    assert err.count("\n") == 1


def test_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
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
