"""Readers that the Kaitai compiler generates from `msmq.ksy` read every vector as this library does."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from kaitaistruct import KaitaiStream, ValidationExprError
from support_examples import share
from support_kaitai import ENVIRONMENT, NODE, compiled, module
from support_specs import SPECS

from msmq_wire.exports.kaitai import identifier

if TYPE_CHECKING:
    from pathlib import Path

RAW_PACKETS = "InternalHeader.Flags.PT"
"""Packets of an unknown type are left as bytes, where the library refuses them."""


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The readers in Python and JavaScript."""
    return compiled(tmp_path_factory.mktemp("kaitai"), "python", "javascript")


@pytest.fixture(scope="module")
def vectors() -> list[dict[str, Any]]:
    groups = json.loads(gzip.decompress((SPECS / "vectors.json.gz").read_bytes()))["groups"]
    return [vector for group in groups for vector in group["vectors"]]


def _type_name(structure: str) -> str:
    return "".join(word.capitalize() for word in identifier(structure).split("_"))


def _step(value: Any, name: str) -> Any:
    field, _, index = name.partition("[")
    inner = getattr(value, identifier(field))
    return inner[int(index[:-1])] if index else inner


def _differences(vector: dict[str, Any], record: Any) -> list[str]:
    """Compare each field that the vector lists: numbers as numbers, everything else as bytes."""
    data, differences = bytes.fromhex(vector["bytes"]), []
    for path, offset, _, number in vector["fields"]:
        value = record
        for name in path.split(".")[1:]:
            value = _step(value, name)
        value = getattr(value, "raw", value)
        if number is not None and isinstance(value, (int, bool)):
            expected: Any = number
        elif isinstance(value, bytes):
            expected = data[offset : offset + len(value)]
        else:
            continue  # a structure: its fields have rows of their own
        if value != expected:
            differences.append(f"{vector['name']}: {path} is {value!r}, not {expected!r}")
    return differences


def test_python_reads_every_vector(readers: Path, vectors: list[dict[str, Any]]) -> None:
    """Each field of what can be read is equal; what is unreadable is refused, or leaves bytes."""
    types, problems, fields = module(readers).Msmq, [], 0
    for vector in vectors:
        kind = getattr(types, _type_name(vector.get("reads_as") or vector["structure"]), None)
        if kind is None:
            continue  # the bytes of a value, or of one of several structures
        stream = KaitaiStream(io.BytesIO(bytes.fromhex(vector["bytes"])))
        readable = vector["result"] != "unreadable"
        try:
            record = kind(stream)
        except Exception as error:  # noqa: BLE001  # the runtime has many
            problems += [f"{vector['name']} is refused: {error}"] if readable else []
            continue
        if readable:
            problems += _differences(vector, record)
            fields += len(vector["fields"])
        elif stream.is_eof() and vector["refusal"]["field"] != RAW_PACKETS:
            problems.append(f"{vector['name']} is read to its end, but {vector['refusal']}")
    assert problems == []
    assert fields


def test_javascript_reads_every_vector(readers: Path, vectors: list[dict[str, Any]]) -> None:
    script = NODE / "read_vectors.js"
    command = ["node", str(script), str(readers / "Msmq.js"), str(SPECS / "vectors.json.gz")]
    run = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)  # noqa: S603  # ours
    report = json.loads(run.stdout)
    fields = {vector["name"]: vector.get("refusal", {}).get("field") for vector in vectors}
    assert report["refused"] == []
    assert report["differences"] == []
    assert [name for name in report["misread"] if fields[name] != RAW_PACKETS] == []
    assert report["numbers"]
    assert report["bytes"]


def test_a_stream_of_packets(readers: Path, vectors: list[dict[str, Any]]) -> None:
    """The top level reads packets behind one another, with their SessionHeaders."""
    kinds = {"EstablishConnection", "ConnectionParameters", "SessionAck", "UserMessage"}
    packets = [
        bytes.fromhex(row["bytes"])
        for row in vectors
        if row["structure"] in kinds and row["result"] == "valid" and row["bytes"].startswith("10")
    ]
    assert len(packets) > len(kinds)
    stream = module(readers).Msmq(KaitaiStream(io.BytesIO(b"".join(packets))))
    assert len(stream.packets) == len(packets)
    assert [packet.base.packet_size for packet in stream.packets] == [
        int.from_bytes(data[8:12], "little") for data in packets
    ]


def test_texts_that_are_no_utf_16_keep_their_bytes(readers: Path) -> None:
    """A lone surrogate is refused only where somebody asks for characters."""
    data = b"\x02\x00\x00\xd8"
    name = module(readers).Msmq.DirectQueueFormatName(KaitaiStream(io.BytesIO(data)))
    assert name.direct_format_name.raw == b"\x00\xd8"
    with pytest.raises(UnicodeDecodeError):
        _ = name.direct_format_name.text


def test_a_size_beyond_the_stream_is_refused_before_it_is_used(readers: Path) -> None:
    """Readers in C++ take memory for the bytes first, and the sum with a SessionHeader may pass 32 bits."""
    data = b"\x10\0\x10\0LIOR" + (0xFFFF_FFF8).to_bytes(4, "little") + b"\xff" * 100
    with pytest.raises(ValidationExprError):
        module(readers).Msmq(KaitaiStream(io.BytesIO(data)))


@pytest.mark.long
@pytest.mark.parametrize(("language", "file"), [("python", "msmq.py"), ("java", "Msmq.java")][-share(2) :])
def test_the_program_of_the_page(language: str, file: str, tmp_path: Path) -> None:
    """It writes the same reader as the compiler does here, beside the description."""
    made = compiled(tmp_path / "made", language)
    text = (SPECS.parent / "docs" / "how-to" / "other-languages.md").read_text("utf-8")
    _, _, rest = text.partition("```js\n")
    (tmp_path / "compile.cjs").write_text(
        rest.partition("```")[0].replace('"rust"', f'"{language}"'), "utf-8"
    )
    shutil.copyfile(SPECS / "msmq.ksy", tmp_path / "msmq.ksy")
    subprocess.run(  # the program is ours
        ["node", "compile.cjs"],  # noqa: S607  # wherever it is installed
        cwd=tmp_path,
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
    )
    assert (tmp_path / file).read_bytes() == (made / file).read_bytes()


@pytest.mark.long
def test_each_language_of_the_page(tmp_path: Path) -> None:
    """The compiler makes readers for all that the page names."""
    text = (SPECS.parent / "docs" / "how-to" / "other-languages.md").read_text("utf-8")
    sentence = re.search(r"Its compiler makes readers for (.+?) from it;", text, re.DOTALL)
    assert sentence
    names = re.split(r",\s+|\s+and\s+", sentence[1])
    others = {"C++": "cpp_stl", "C#": "csharp"}
    assert len(names) > 1
    compiled(tmp_path, *(others.get(name, name.lower()) for name in names))
