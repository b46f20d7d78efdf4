"""Bytes that were written down as text: by programs, in languages, by people."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
from base64 import b64encode
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_dumps import format_hex, hexdump, od, tcpdump, wireshark, xxd
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire import mqqb
from msmq_wire.cli import main
from msmq_wire.cli.packet_text import bytes_of_text, text_of
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PACKETS = {
    vector.name: vector.data
    for vector in load_vectors()
    if vector.source == "mqqb-4.1.toml" and not vector.truncated
}
ACK = PACKETS["frame-8-session-acknowledgment"]
DUMPS = [xxd, hexdump, od, tcpdump, wireshark, format_hex]


def escaped(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


def numbers(data: bytes, form: str = "#04x", between: str = ", ") -> str:
    return between.join(format(byte, form) for byte in data)


def windows_format_hex(data: bytes) -> str:
    """As ``Format-Hex`` of Windows PowerShell 5 prints it, in the code page of a console."""
    lines = [
        "",
        "",
        "           Path: C:\\a b\\c.bin",
        "",
        f"           {bytes(range(16)).hex(' ').upper()}",
        "",
    ]
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 or byte >= 160 else "." for byte in row)
        lines.append(f"{at:08X}   {row.hex(' ').upper():<47}  {shown}")
    return "\r\n".join(lines)


WRITTEN: list[Callable[[bytes], str]] = [
    *DUMPS,
    windows_format_hex,
    lambda data: re.sub(r"  >.*", "", od(data)),
    lambda data: "\n".join(line[:54].rstrip() for line in wireshark(data).splitlines()),
    lambda data: wireshark(data).replace(".", "\u00b7"),
    lambda data: wireshark(data).replace(".", "\u2026").replace(" ", "\xa0"),
    lambda data: hexdump(data).replace(".", "\u2022").replace(" ", "\u2009"),
    bytes.hex,
    lambda data: data.hex().upper(),
    lambda data: f"0x{data.hex()}",
    lambda data: data.hex(" ", 4),
    lambda data: data.hex(":"),
    lambda data: data.hex("-").upper(),
    lambda data: data.hex(",") + "\n",
    lambda data: "\ufeff" + data.hex(" ").replace(" ", "\xa0"),
    lambda data: "\n".join(data.hex()[at : at + 77] for at in range(0, len(data.hex()), 77)),
    lambda data: repr(data.hex()),
    lambda data: f'bytes.fromhex("{data.hex(" ")}")',
    repr,
    lambda data: f"packet = {data!r}\n",
    lambda data: repr(bytearray(data)),
    lambda data: repr([*data]),
    lambda data: f"packet = bytes([{numbers(data, 'd')},])",
    escaped,
    lambda data: repr(data)[2:-1],
    lambda data: "\n".join(f'"{escaped(data[at : at + 16])}" \\' for at in range(0, len(data), 16)),
    lambda data: f'char packet[] = "{escaped(data[:9])}"\n  "{escaped(data[9:])}";',
    lambda data: f"static const unsigned char pkt1[{len(data)}] = {{\n/* 0x00 */ {numbers(data)}\n}};",
    lambda data: f"unsigned char a_bin[] = {{ {numbers(data)} }};\nunsigned int a_bin_len = {len(data)};\n",
    lambda data: "{" + numbers(data) + "\n};\n",
    lambda data: f"var packet = []byte{{{numbers(data)}}}",
    lambda data: f"let packet: [u8; {len(data)}] = [{numbers(data, 'd')}];",
    lambda data: f"new byte[] {{ {', '.join(f'(byte) {byte:#x}' for byte in data)} }}",
    lambda data: f"byte[] packet = {{{numbers(struct.pack(f'{len(data)}B', *data), 'd')}}};",
    lambda data: f"{{{', '.join(map(str, struct.unpack(f'{len(data)}b', data)))}}}",
    lambda data: (
        f"std::array<std::uint8_t, {len(data)}> p = {{{', '.join(f'{byte:#x}u' for byte in data)}}};"
    ),
    lambda data: f"let packet = [{', '.join(f'{byte}_u8' for byte in data)}];",
    lambda data: f"[byte[]]$packet = {numbers(data, '#04X', ',').replace('X', 'x')}",
    lambda data: numbers(data, "#04x", " "),
    lambda data: json.dumps(data.decode("latin-1")),
    lambda data: json.dumps([*data]),
]
IN_BASE64: list[Callable[[str], str]] = [
    str,
    lambda digits: "\n".join(re.findall(".{1,76}", digits)) + "\n",
    lambda digits: f"data:application/octet-stream;base64,{digits}",
    lambda digits: f'"{digits}",',
    lambda digits: digits.rstrip("="),
    lambda digits: digits.translate(str.maketrans("+/", "-_")),
]


@pytest.mark.each(3)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-16", "latin-1"])
def test_text_stands_for_its_bytes(encoding: str) -> None:
    wrong = []
    for number, written in enumerate(WRITTEN):
        for name, data in PACKETS.items():
            text = written(data)
            try:
                text_bytes = text.encode(encoding)
            except UnicodeEncodeError:
                continue
            try:
                back = bytes_of_text(text_of(text_bytes) or "")
            except MsmqWireError as error:
                wrong.append((number, name, str(error), text[:80]))
                continue
            if back != data:
                wrong.append((number, name, back.hex(), text[:80]))
    assert wrong == []


@pytest.mark.parametrize("form", IN_BASE64)
def test_base64_of_a_packet(form: Callable[[str], str]) -> None:
    """It is recognised by the signature, which a packet of Ping does not have."""
    for name, data in PACKETS.items():
        text = form(b64encode(data).decode())
        if data[4:8] == b"LIOR":
            assert bytes_of_text(text) == data, name
        else:
            with pytest.raises(MsmqWireError):
                bytes_of_text(text)


@pytest.mark.parametrize(
    "command",
    [
        "xxd", "xxd -p", "xxd -i", "xxd -u -g 1", "xxd -c 32", "xxd -g 0", "hexdump -C", "hexdump -Cv",
        "od -A x -t x1z -v",
    ],
)  # fmt: skip
def test_programs_print_bytes(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each packet, through the program and back, and through the command."""
    words = command.split()
    if shutil.which(words[0]) is None:
        pytest.skip(f"needs {words[0]}")
    for name, data in PACKETS.items():
        (tmp_path / "packet.bin").write_bytes(data)
        printed = subprocess.run(  # noqa: S603  # a program of the system and a file of ours
            [*words, "packet.bin"], cwd=tmp_path, capture_output=True, check=True
        ).stdout
        assert bytes_of_text(printed.decode()) == data, name
        path = tmp_path / "printed.txt"
        path.write_bytes(printed)
        assert main(["explain", str(path)]) == 0
        assert f" {len(data):,} bytes " in capsys.readouterr().out


@pytest.mark.parametrize("suffix", ["hex", "txt"])
def test_a_file_of_text_has_to_be_named(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is a packet alone; in a folder or for a pattern the message says so."""
    path = tmp_path / f"a.{suffix}"
    path.write_text(ACK.hex())
    assert main(["packets", str(path)]) == 0
    capsys.readouterr()
    for place in (tmp_path, tmp_path / f"*.{suffix}"):
        for words in (["packets"], ["sessions"], ["tables", "--output", f"{tmp_path}-tables"]):
            assert main([*words, str(place)]) == 1
            assert capsys.readouterr().err == (
                f"msmq-wire: {path}, byte 0: the file does not begin as pcap, pcapng or MSMQ packets does; "
                "text that stands for bytes, such as a dump, is read only if its file is named\n"
            )


LISTED = ("--fields", "type,src,dst_port,size,first_frame,data")


@pytest.mark.each(5)
@pytest.mark.parametrize("options", ["-X", "-XX", "-v -X", "-tttt -e -XX", "-t -X"])
def test_tcpdump_prints_a_capture(options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The packets are those of the capture, in frames of the same numbers."""
    if shutil.which("tcpdump") is None:
        pytest.skip("needs tcpdump")
    write_captures(tmp_path, 12, seed=11, files=1, faults=Faults())
    capture = next((tmp_path / "captures").iterdir())
    printed = subprocess.run(  # noqa: S603  # a program of the system and a file of ours
        ["tcpdump", "-n", "-r", str(capture), *options.split()],  # noqa: S607
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    path = tmp_path / "printed.txt"
    path.write_bytes(printed)
    lines = []
    for file in (capture, path):
        assert main(["packets", str(file), *LISTED]) == 0
        lines.append(sorted(capsys.readouterr().out.splitlines()))
    assert lines[0] == lines[1] != []


@pytest.mark.parametrize("verb", ["packets", "explain", "validate"])
@pytest.mark.parametrize("link_header", [b"", bytes(12) + b"\x08\0"])
def test_output_of_tcpdump(
    verb: str, link_header: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each verb takes it; packets have no time."""
    segment = struct.pack(">HHIIBBHHH", 50000, 1801, 1, 1, 0x50, 0x18, 64240, 0, 0) + ACK
    header = struct.pack(
        ">BxHHHBBH4B4B", 0x45, 20 + len(segment), 1, 0, 64, 6, 0, *(10, 0, 0, 1, 10, 0, 0, 2)
    )
    frame = link_header + header + segment
    path = tmp_path / "printed.txt"
    heading = "22:13:20.000356 IP 10.0.0.1.50000 > 10.0.0.2.1801: Flags [P.], length 36\n"
    path.write_text(f"listening on eth0\n{heading}{tcpdump(frame)}\n2 packets captured\n")
    assert main([verb, str(path)]) == 0
    assert main(["packets", str(path), "--fields", "time,src,dst,data"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        f'{{"src": "10.0.0.1", "dst": "10.0.0.2", "data": "{ACK.hex()}"}}'
    )
    path.write_text(tcpdump(frame))
    assert main([verb, str(path)]) == 1
    error = capsys.readouterr().err
    assert link_header or error.endswith("with the lines of tcpdump above it, or capture with tcpdump -w\n")


@given(st.binary(min_size=1, max_size=70), st.sampled_from(DUMPS))
def test_any_bytes_are_dumped(data: bytes, dump: Callable[[bytes], str]) -> None:
    """Whatever the text column is: digits and spaces of it are not taken for bytes."""
    assert bytes_of_text(dump(data)) == data


@given(st.binary(max_size=300))
def test_a_packet_is_not_text(rest: bytes) -> None:
    """The version of a packet is a control character, and so is that of a directory message."""
    assert text_of(b"\x10\xc0\x0b\x00LIOR" + rest) is None


@pytest.mark.long
@given(st.text(max_size=80) | st.binary(max_size=80).map(lambda data: data.decode("latin-1")))
def test_any_text_is_bytes_or_an_error(text: str) -> None:
    with suppress(MsmqWireError):
        bytes_of_text(text)


@pytest.mark.long
def test_text_takes_linear_time() -> None:
    for text in (
        r"\x10" + " " * 2_000_000 + "\\",
        "0x10, " * 500_000 + "0x100",
        "10-" * 1_000_000 + "1",
        "0000  " + "10 " * 999_999 + "g",
        "0000: " + "10 " * 999_999 + "g",
        "0000: " + "10" * 999_999 + "g",
        "000000 10\n" + "000010 10  >.<\n" * 200_000 + "g",
        "'" * 1_000_000 + "\\",
        "'" + "\\x10" * 500_000 + "\\",
        '"\\' * 500_000,
        "/*" * 500_000 + "0x10, 0x100",
        "x" * 1_000_000 + "{1, 256}",
        " " * 1_000_000 + "g",
    ):
        with suppress(MsmqWireError):  # in quadratic time, it would take hours
            bytes_of_text(text)


NEITHER = "neither digits, a dump, a literal, an array nor base64 of a packet: line 1, column "

DAMAGED = "base64 of a packet: line 1, column "
MISSING = "expected byte {}, two hexadecimal digits, because the next line is at {:#x}, found "
SECOND = "; a second dump begins there: give one at a time"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("xyz", f"{NEITHER}1: expected a hexadecimal digit, found 'x'"),
        ("Some notes\n\n00000000: 10c0 0b00", "line 3 begins a dump; remove what is above it"),
        ("# it's\n0x0000:  10c0 0b00", "line 2 begins a dump; remove what is above it"),
        ("12 3", "line 1, column 1: expected two hexadecimal digits a byte, found 3 digits"),
        ("10:c0\n:b:00", "line 2, column 2: expected two hexadecimal digits a byte, found 1 digit"),
        ("10 c0\n0b 0O", f"{NEITHER}5: expected a hexadecimal digit, found 'O'".replace("line 1", "line 2")),
        ("a file: of text", f"{NEITHER}4: expected a hexadecimal digit, found 'i'"),
        ("root:x:0:0:", f"{NEITHER}1: expected a hexadecimal digit, found 'r'"),
        ("00000000: 10c0  ..\n00000010: 0b00  ..", f"line 1, column 17: {MISSING.format(3, 0x10)}'..'"),
        ("0000   10 c0\n0010   0b 00", f"line 1, column 13: {MISSING.format(3, 0x10)}the end of the line"),
        (
            f"0000  {'10 ' * 16}\n0016  10",
            f"line 1, column 55: {MISSING.format(17, 0x16)}the end of the line",
        ),
        ("00000000  10 c0  |..|\n*\n00000003", "line 3 of the dump: expected the offset 0x2, found 0x3"),
        ("00000000  10 c0  |..|\n*\n", "the dump ends with an asterisk: the offset of its end is missing"),
        (
            "00000000  10 c0  |..|\n*\nfffffffe",
            "line 3 of the dump: expected the offset 0x2, found 0xfffffffe",
        ),
        ("00000000: 1  .", "line 1, column 11: expected two hexadecimal digits, found '1'"),
        ("0000   10 c0 0g   ...", "line 1, column 14: expected two hexadecimal digits, found '0g'"),
        ("00000040: 10c0  ..", "line 1 of the dump: expected the offset 0x0, found 0x40"),
        ("0000  10 c0\n\n0000  4c", "line 3 of the dump: expected the offset 0x2, found 0x0" + SECOND),
        ("0000  10 c0\nthe rest", "line 2 of the dump has no offset: 'the rest'"),
        ("b'\\x10\\q'", "line 1, column 7: unknown escape '\\\\q'"),
        ("b'\\x10\u20ac'", "line 1, column 7: '\u20ac' is not one byte"),
        ("{0x10,\n 0x100}", "line 2, column 2: 0x100 is not one byte"),
        ("{0x10, 0x1ff}", "line 1, column 8: 0x1ff is not one byte"),
        ("0x10, n", "line 1, column 7: expected a number of one byte, found 'n'"),
        ("0x1ff", "line 1, column 3: expected two hexadecimal digits a byte, found 3 digits"),
        ("0x10c00b00\n0x4c494f52", "line 1, column 1: 0x10c00b00 is not one byte"),
        ('{"a": 1}', "line 1, column 3: expected two hexadecimal digits a byte, found 1 digit"),
        ("[16, 256]", "line 1, column 6: 256 is not one byte"),
        ("EMALAAxJT1IgAAAA", f"{NEITHER}2: expected a hexadecimal digit, found 'M'"),
        ("EMALAExJT1IgA*AA", f"{DAMAGED}14: expected a digit of base64, found '*'"),
        ("EMALAExJT1Ig==AA", f"{DAMAGED}13: expected a digit of base64, found '='"),
        ('"EMALAExJT1IgA"\n', f"{DAMAGED}14: expected more digits of base64, found the end"),
    ],
)
def test_texts_that_are_no_bytes(text: str, problem: str) -> None:
    with pytest.raises(MsmqWireError) as caught:
        bytes_of_text(text)
    assert str(caught.value) == problem


def test_the_problem_of_typed_bytes_names_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--hex", mw.encode(mqqb.SessionAck()).hex()[:-2]]) == 1
    assert capsys.readouterr().err.startswith("msmq-wire: byte 0: expected a size of at most ")
