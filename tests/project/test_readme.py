"""The commands that README gives, and the command line."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support_specs import SPECS, load_vectors

from msmq_wire.__main__ import from_hex, main
from msmq_wire.values.errors import MsmqWireError

ROOT = SPECS.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"<!-- (main|test)-command -->\n```sh\n(.+)\n```")
SESSION = [vector for vector in load_vectors() if vector.source == "mqqb-4.1.toml"]
WHOLE = {vector.name: vector.data for vector in SESSION if not vector.truncated}
ASK = WHOLE["frame-5-connection-parameters-request"]
ACK = WHOLE["frame-8-session-acknowledgment"]
PING = WHOLE["frame-1-ping-request"]


def commands() -> dict[str, list[list[str]]]:
    """The words of the steps of each of the two commands."""
    found = COMMAND.findall(README)
    assert [name for name, _ in found] == ["main", "test"]
    return {name: [shlex.split(step) for step in text.split(" && ")] for name, text in found}


def run(*words: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *words], cwd=ROOT, input=data, capture_output=True, check=False)  # noqa: S603  # our own commands


def test_commands_set_up_by_themselves() -> None:
    """Both begin with an environment and need nothing but Python and pip."""
    for steps in commands().values():
        assert steps[0] == ["python3", "-m", "venv", ".venv"]
        assert all(step[0] in {".venv/bin/pip", ".venv/bin/python"} for step in steps[1:])
    assert commands()["test"][-1][:3] == [".venv/bin/python", "-m", "pytest"]


def test_the_main_command() -> None:
    """Its third step explains eight frames and ends as README says; the tests of Spark look at the others."""
    done = run(*commands()["main"][2][1:])
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode("ascii").splitlines()
    assert sum(line.startswith("[MS-MQQB] 4.1.") for line in lines) == 8
    total = sum(map(len, WHOLE.values()))
    assert lines[-1] == f"8 frames, {total:,} bytes: all encode back to the same bytes"
    assert lines[-1] in README


def test_the_command_line_of_readme() -> None:
    line = re.search(r"^\.venv/bin/python (-m msmq_wire .+)$", README, re.MULTILINE)
    assert line
    done = run(*shlex.split(line[1]))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"== ConnectionParameters: 32 bytes from byte 0 on\n")


# --------------------------------------------------------------------------------------- command line


def explained(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(words)
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


def hexdump(data: bytes) -> str:
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        digits = f"{row[:8].hex(' ')}  {row[8:].hex(' ')}"
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{at:08x}  {digits:<48}  |{shown}|")
    return "\n".join([*lines, f"{len(data):08x}"]) + "\n"


@pytest.mark.parametrize("form", [bytes, xxd, hexdump, bytes.hex, lambda data: data.hex(" ").upper()])
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
        "ConnectionParameters: 32 bytes from byte 0 on",
        "SessionAck: 36 bytes from byte 32 on",
    ]


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_dumps_stand_for_their_bytes(data: bytes) -> None:
    for text in (xxd(data), hexdump(data), data.hex(), data.hex(":"), data.hex(" ", 4)):
        assert from_hex(text) == data


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("xyz", "the text is not hexadecimal, two digits a byte"),
        ("123", "the text is not hexadecimal, two digits a byte"),
        ("00000000: 10c0  ..\n00000010: 0b00  ..", "line 2 of the dump does not begin with the offset 0x2"),
        ("00000000  10 c0  |..|\n*\n00000040", "line 2 of the dump does not begin with the offset 0x2"),
        ("00000000: 1  .", "line 1 of the dump is not hexadecimal"),
        ("a file: of text", "line 1 of the dump does not begin with the offset 0x0"),
    ],
)
def test_texts_that_are_no_bytes(text: str, problem: str) -> None:
    with pytest.raises(MsmqWireError) as caught:
        from_hex(text)
    assert str(caught.value) == problem


def test_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "session.bin")
    Path(path).write_bytes(ACK)
    assert heads(explained(capsys, path)[1]) == ["SessionAck: 36 bytes from byte 0 on"]
    status, out, err = explained(capsys, path + "x")
    assert (status, out, err) == (1, "", f"msmq_wire: {path}x: No such file or directory\n")


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
    assert explained(capsys, "--kind", "Nothing", "--hex", "00") == (
        1,
        "",
        "msmq_wire: Nothing is no structure - at `Record`\n",
    )
    status, out, err = explained(capsys, "--kind", "BaseReplicationHeader", "--hex", header.hex() + "00")
    assert (status, err) == (
        1,
        "msmq_wire: 1 byte left over (limit: buffer) - at `BaseReplicationHeader`, byte 18\n",
    )


def test_damage(capsys: pytest.CaptureFixture[str]) -> None:
    """What can be understood is shown; the first problem is one line."""
    status, out, err = explained(capsys, "--hex", (b"junk" + ASK + ACK[:-1]).hex())
    assert heads(out) == [
        "no packet: 4 bytes from byte 0 on",
        "ConnectionParameters: 32 bytes from byte 4 on",
        "damaged: 35 bytes from byte 36 on",
    ]
    assert status == 1
    assert err.startswith("msmq_wire: ")
    assert err.endswith(" - at `BaseHeader.Signature`, byte 4 (the first of 2 such places)\n")
    assert err.count("\n") == 1


def test_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b"")
    assert explained(capsys) == (1, "", "msmq_wire: there are no bytes to explain\n")


def test_usage(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference shows what --help prints."""
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    assert capsys.readouterr().out in (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        main(["file", "--hex", "00"])
    assert caught.value.code == 2


def test_reader_goes_away() -> None:
    """A reader that has seen enough is no error worth a traceback."""
    words = [sys.executable, "-m", "msmq_wire", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as process:  # noqa: S603  # our own command
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(ACK * 500)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1
