"""A mistake in the definitions is one sentence with file and line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from dissect.cstruct import cstruct
from support_copy import complaints
from support_rows import table

from msmq_wire.compiler import pages as reading
from msmq_wire.compiler.checks.mistakes import Mistakes, find, line_of_field, line_of_row, resolve
from msmq_wire.compiler.pages import Pages
from msmq_wire.definitions import relations
from msmq_wire.definitions.texts import CText
from msmq_wire.documents import readings
from msmq_wire.records.model import Alignment
from msmq_wire.views import known_values

SENTENCES = [
    (
        "c_mqmq.py",
        "uint32 TimeToReachQueue;",
        "uint33 TimeToReachQueue;",
        "uint33 TimeToReachQueue;",
        "dissect.cstruct cannot read it: Unknown type uint33",
    ),
    (
        "c_mqmq.py",
        "uint32 TimeToReachQueue;",
        "BaseHeader TimeToReachQueue;",
        "struct BaseHeader {",
        "BaseHeader contains itself: BaseHeader > BaseHeader",
    ),
    (
        "c_mqmq.py",
        "SecurityIDPadding[-SenderIdSize & 3]",
        "SecurityIDPadding[SenderIdSize % 4]",
        "SecurityIDPadding[SenderIdSize % 4]",
        (
            "SecurityHeader.SecurityData.SecurityIDPadding has no known count: "
            "cannot read 'SenderIdSize % 4', where a field is expected"
        ),
    ),
    (
        "c_mqmq.py",
        "uint32 TimeToReachQueue;",
        "float  Hops[TimeToReachQueue];",
        "float  Hops[TimeToReachQueue];",
        "BaseHeader.Hops is an array of float: expected an array of uint8 to int64, char, wchar, GUID or a",
    ),
    (
        "relations.py",
        '"UserMessage.DebugHeader": "BaseHeader.Flags.DH"',
        '"UserMessage.DebugHeader": "BaseHeader.Flags.DX"',
        '"UserMessage.DebugHeader": "BaseHeader.Flags.DX"',
        "PRESENT: UserMessage.DebugHeader: BaseHeaderFlags has no group DX",
    ),
    (
        "relations.py",
        '"UserMessage.DebugHeader": "BaseHeader.Flags.DH"',
        '"UserMessage.DebugHeader": "BaseHeader.Flags.DH ? 1"',
        '"UserMessage.DebugHeader": "BaseHeader.Flags.DH ? 1"',
        "PRESENT: UserMessage.DebugHeader: cannot read the expression 'BaseHeader.Flags.DH ? 1'",
    ),
    (
        "relations.py",
        '"MQDSPUBLICKEYS": ("ulLen", 1)',
        '"MQDSPUBLICKEYS": ("ulSize", 1)',
        '"MQDSPUBLICKEYS": ("ulSize", 1)',
        "EXTENTS: MQDSPUBLICKEYS: MQDSPUBLICKEYS has no field ulSize",
    ),
    (
        "relations.py",
        '("ExtensionHeader.HeaderSize", "ExtensionHeader.RemainingHeadersSize")',
        '("SoapHeader.HeaderDataLength", "SoapHeader.BodyDataLength")',
        '("SoapHeader.HeaderDataLength", "SoapHeader.BodyDataLength")',
        "RIVALS: UserMessage.SessionHeader: expected two structures of fixed size",
    ),
    (
        "c_mqmq.py",
        "uint16 QT : 2; ",
        "uint16 QT : 3; ",
        "} Flags;  ",
        "DebugHeader.Flags: its groups have 17 bits, and the word has 16",
    ),
    (
        "relations.py",
        '"UserMessage.SoapHeader": "UserHeader.Flags.HH"',
        '"UserMessage.SoapHeader": "UserHeader.Flags.HH == 2"',
        '"UserMessage.SoapHeader": "UserHeader.Flags.HH == 2"',
        "PRESENT: UserMessage.SoapHeader: UserHeader.Flags.HH has 1 bits, and cannot be 0x2",
    ),
    (
        "c_mqmq.py",
        "[CertificateCount];",
        "[CertificateSum]; // the certificates\n    uint32 CertificateSum;",
        "[CertificateSum];",
        "MQUSERSIGNCERTS.Certificates stands before CertificateSum, its count",
    ),
    (
        "c_mqmq.py",
        "// time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite",
        "",
        "uint32 TimeToReachQueue; ",
        "BaseHeader.TimeToReachQueue has no comment",
    ),
    (
        "c_mqmq.py",
        "- [MS-MQMQ] 2.2.22 MQUSERSIGNCERT\n",
        "\n",
        "struct MQUSERSIGNCERT {",
        "MQUSERSIGNCERT has no section: a rule such as",
    ),
    (
        "relations.py",
        '"UserMessage.SoapHeader": "UserHeader.Flags.HH",',
        '"UserMessage.SoapHeader": "UserHeader.Flags.HH"',
        '"UserMessage.MultiQueueFormatHeader": "UserHeader.Flags.MQ"',
        "Python cannot read it: invalid syntax",
    ),
    (
        "relations.py",
        '"PingPacket.Signature": 0x5548',
        '"PingPackt.Signature": 0x5548',
        '"PingPackt.Signature": 0x5548',
        "DEFAULTS: PingPackt.Signature: there is no structure PingPackt",
    ),
    (
        "relations.py",
        '"SoapHeader.Padding": Alignment',
        '"SoapHeader.Paddin": Alignment',
        '"SoapHeader.Paddin": Alignment',
        "ALIGNED: SoapHeader.Paddin: there is no such field",
    ),
    (
        "relations.py",
        '"PingPacket.Signature": 0x5548,',
        '"PingPacket.Signature": 0x5548,\n    "PingPacket.Signature": 0x5549,',
        '"PingPacket.Signature": 0x5549',
        "'PingPacket.Signature': an earlier row of this table has the same key",
    ),
    (
        "relations.py",
        '"MQFAddressHeader": ("HeaderSize", 4)',
        '"MQFAddressHeader": ("HeaderSize",)',
        "struct MQFAddressHeader {",
        "MQFAddressHeader cannot be read with its rows in relations.py: Missing required argument 'multiple'",
    ),
    (
        "c_mqmq.py",
        "struct MQUSERSIGNCERT {",
        "struct MQUSERSIGNCERT",
        "struct MQUSERSIGNCERT",
        "an opening brace is missing",
    ),
]
BRACES = [
    ("struct A {\n    uint8 one;\n", 5, "a closing brace is missing between this structure and the next one"),
    ("struct A {\n    struct {\n    uint8 one : 8;\n};\n", 5, "a closing brace is missing between"),
    ("struct A {\n    struct\n    uint8 one : 8;\n    } Flags;\n};\n", 6, "an opening brace is missing"),
    ("struct A {\n    uint8 one;\n}\n", 7, "a semicolon is missing behind the closing brace"),
    ("struct A {\n    uint8 one;\n    } Flags;\n};\n", 8, "no brace is open that this one closes"),
]


@pytest.mark.each(16)
@pytest.mark.parametrize(("file", "old", "new", "line", "sentence"), SENTENCES)
def test_sentence(tmp_path: Path, file: str, old: str, new: str, line: str, sentence: str) -> None:
    """The command says what is wrong, and in which line."""
    first, *_ = complaints(tmp_path, {f"definitions/{file}": (old, new)})  # others may follow from it
    said = re.fullmatch(r"src/msmq_wire/definitions/(\w+\.py):(\d+): (.*)", first)
    assert said, first
    assert said[3].startswith(sentence)  # a name may follow, from dissect.cstruct 5 on
    lines = (tmp_path / "src/msmq_wire/definitions" / said[1]).read_text("utf-8").splitlines()
    assert line in lines[int(said[2]) - 1]


FIRST = "// ---------- the first\nstruct A {\n    uint8 one;\n};\n"


@pytest.mark.parametrize(
    ("second", "line", "problem"),
    [
        ("struct B {\n    uint8 two;\n    uint33 three;\n};\n", 8, "Unknown type uint33"),
        ("struct B {\n    uint33 two;\n    uint33 three;\n};\n", 7, "Unknown type uint33"),
        ("struct B {\n    uint8 two : 9;\n};\n", 5, "Straddled bit fields are unsupported"),
    ],
)
def test_lines_of_text(
    second: str, line: int, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line has the culprit; if none has it, it is the first line of the part."""
    text = f"{FIRST}// ---------- the second\n{second}"
    (tmp_path / "c_mqmq.py").write_text(text, "utf-8")
    monkeypatch.setattr(reading, "DEFINITIONS", tmp_path)
    monkeypatch.setattr(reading, "TEXTS", {"mqmq": CText(text, "", "c_mqmq.py")})
    monkeypatch.setattr(reading, "load", lambda: cstruct().load(text))
    with pytest.raises(Mistakes) as caught:
        Pages.read()
    (mistake,) = caught.value.mistakes
    assert (mistake.file, mistake.line) == (tmp_path / "c_mqmq.py", line)
    assert mistake.sentence.startswith(f"dissect.cstruct cannot read it: {problem}")  # see above


@pytest.mark.parametrize(("part", "line", "problem"), BRACES)
@pytest.mark.parametrize("behind", ["", "// ---------- the next\nstruct B {\n    uint8 two;\n};\n"])
def test_braces(
    part: str, line: int, problem: str, behind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in the last structure of a text."""
    text = f"{FIRST}{part}{behind}"
    (tmp_path / "c_mqmq.py").write_text(text, "utf-8")
    monkeypatch.setattr(reading, "DEFINITIONS", tmp_path)
    monkeypatch.setattr(reading, "TEXTS", {"mqmq": CText(text, "", "c_mqmq.py")})
    with pytest.raises(Mistakes) as caught:
        Pages.read()
    (mistake,) = caught.value.mistakes
    assert (mistake.file, mistake.line) == (tmp_path / "c_mqmq.py", line)
    assert mistake.sentence.startswith(problem)


@pytest.mark.parametrize(
    ("structure", "field", "line"),
    [
        ("UserHeader", "", "struct UserHeader {"),
        ("UserHeader", "SentTime", "uint32 SentTime;"),
        ("SecurityHeader.SecurityData", "SenderCert", "SenderCert["),
        ("NoHeader", "", None),
    ],
)
def test_lines_of_fields(structure: str, field: str, line: str | None) -> None:
    file, number = line_of_field("mqmq", structure, field)
    lines = file.read_text("utf-8").splitlines()
    assert (number == 0) if line is None else line in lines[number - 1]


@pytest.mark.each(28)
@pytest.mark.parametrize(
    ("module", "table", "row", "problem"),
    [
        (relations, "DEFAULTS", {"BaseHeader.Versio": 1}, "BaseHeader has no field Versio"),
        (relations, "DEFAULTS", {"BaseHeader.Flags.PX": 1}, "BaseHeaderFlags has no group PX"),
        (
            relations,
            "DEFAULTS",
            {"UserHeader.SentTime": "Nothing"},
            "UserHeader has no field Nothing",
        ),
        (relations, "COMPUTED", {"NoHeader.Size": "1"}, "there is no structure NoHeader"),
        (relations, "COMPUTED", {"UserHeader.SentTime": "len("}, "cannot read the expression 'len('"),
        (relations, "SUPPORTED_VALUES", {"BaseHeader": (1,)}, "BaseHeader names no field"),
        (relations, "FIXED", {"NoPacket": {}}, "there is no structure NoPacket"),
        (
            relations,
            "PARTS",
            {"OrderAck": {"UserHeader": {"DestinationQueue": relations.Built("NoName", "Number", 4)}}},
            "there is no structure NoName",
        ),
        (
            relations,
            "PARTS",
            {
                "OrderAck": {
                    "UserHeader": {
                        "DestinationQueue": relations.Built("PrivateQueueFormatNameId", "Number", 4)
                    }
                }
            },
            "PrivateQueueFormatNameId has no field Number",
        ),
        (relations, "FIXED", {"OrderAck": {"BaseHeader.Flags.QQ": 1}}, "BaseHeaderFlags has no group QQ"),
        (
            relations,
            "REMAINDERS",
            {"ExtensionHeader.HeaderSize": ("NoHeader",)},
            "there is no structure NoHeader",
        ),
        (relations, "FLAT_CONSTRUCTORS", {"NoPacket": ()}, "there is no structure NoPacket"),
        (relations, "REFINED", {"NoPacket": "UserMessage"}, "there is no structure NoPacket"),
        (relations, "REFINED", {"OrderAck": "NoPacket"}, "there is no structure NoPacket"),
        (relations, "FLAT_CONSTRUCTORS", {"UserHeader": ("Flags",)}, "UserHeader has no part Flags"),
        (relations, "OPENING", {"SIZE": "BaseHeader.Size"}, "BaseHeader has no field Size"),
        (relations, "OPENING", {"NONE": "NoHeader"}, "there is no structure NoHeader"),
        (
            relations,
            "OPENING",
            {"PACKET_SIZE": "BaseHeader.VersionNumber"},
            "BaseHeader.VersionNumber gives no PACKET_SIZE_AT, which packets/packet_starts.py reads",
        ),
        (
            relations,
            "OMITTABLE_HOSTS",
            {"UserHeader.AdminQueue": ((2, "NoHost"),)},
            "UserHeader has no field NoHost",
        ),
        (
            relations,
            "LIMITS",
            {"SessionHeader.WindowSize.Low": "queues"},
            "there is no field within WindowSize",
        ),
        (relations, "LIMITS", {"MQFAddressHeader.FormatNameList": "queus"}, "there is no limit queus"),
        (
            relations,
            "OFFSETS",
            {"ChangeRequestHeader.PSCName": ("PSCNameOffset", "Nothing")},
            "ChangeRequestHeader has no field Nothing",
        ),
        (
            relations,
            "PARTS",
            {"OrderAck": {"MessagePropertiesHeader": {"MessageClass": 1 << 16}}},
            "has 16 bits, and cannot be 0x10000",
        ),
        (relations, "DEFAULTS", {"SessionHeader.WindowSize": 1 << 16}, "has 16 bits, and cannot be 0x10000"),
        (relations, "DEFAULTS", {"BaseHeader.Flags.PR": 8}, "has 3 bits, and cannot be 0x8"),
        (relations, "DEFAULTS", {"BaseHeader.Signature": b"LIOR"}, "is a number, and cannot be b'LIOR'"),
        (relations, "DEFAULTS", {"SIMPLEBLOB.bType": "1 +"}, "cannot read the expression '1 +'"),
        (relations, "DEFAULTS", {"PUBLICKEYBLOB.magic": b"RSA"}, "has 4 bytes, and cannot be b'RSA'"),
        (relations, "FIXED", {"OrderAck": {"BaseHeader.Flags.PR": 8}}, "has 3 bits, and cannot be 0x8"),
        (
            relations,
            "SUPPORTED_VALUES",
            {"DirectoryChange.UseGuid": (256,)},
            "has 8 bits, and cannot be 0x100",
        ),
        (
            relations,
            "CHOICES",
            {"UserHeader.AdminQueue": ("Flags.AQ", {8: None})},
            "UserHeader.Flags.AQ has 3 bits, and cannot be 0x8",
        ),
        (
            relations,
            "ALIGNED",
            {"SoapHeader.Padding": Alignment("SoapHeder", 4)},
            "there is no structure SoapHeder",
        ),
        (
            relations,
            "ALIGNED",
            {"SoapHeader.Padding": Alignment("SoapHeader", 4, "NoType")},
            "NoType is not a field of SoapHeader",
        ),
        (relations, "EXTENTS", {"NoPacket": ("Size", 1)}, "there is no structure NoPacket"),
        (
            relations,
            "FIXED",
            {"OrderAck": {"BaseHeader.PacketSize": "Nothing"}},
            "OrderAck has no field Nothing",
        ),
        (
            relations,
            "COMPUTED",
            {"UserHeader.SentTime": "SentTime + Nothing"},
            "UserHeader has no field Nothing",
        ),
        (relations, "FLAT_CONSTRUCTORS", {"UserHeader": ("Nothing",)}, "UserHeader has no part Nothing"),
        (
            relations,
            "REMAINDERS",
            {"ExtensionHeader.HeaderSize": ("UserMessage", "NoHeader")},
            "there is no structure NoHeader",
        ),
        (
            relations,
            "OMITTABLE_HOSTS",
            {"UserHeader.AdminQueue": ((1, "SourceQueueManager"), (2, "NoHost"))},
            "UserHeader has no field NoHost",
        ),
        (
            relations,
            "ALIGNED",
            {"SoapHeader.Padding": Alignment("SoapHeader", 4, before=("NoSection", 1))},
            "NoSection is not a field of SoapHeader",
        ),
        (known_values, "UNITS", {"BaseHeader.Time": "s"}, "BaseHeader has no field Time"),
    ],
)
def test_mistakes_in_tables_of_relations(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, module: Any, table: str, row: dict[str, Any], problem: str
) -> None:
    monkeypatch.setattr(module, table, {**getattr(module, table), **row})
    (mistake,) = find(pages.done, pages.homes)
    assert mistake.sentence.startswith(f"{table}: {next(iter(row))}: ") or table in {"FIXED", "PARTS"}
    assert mistake.sentence.endswith(problem)
    assert mistake.file.name == f"{module.__name__.rpartition('.')[2]}.py"


WHOLE = table(
    lambda: [
        *(
            (relations, table)
            for table in ("ALIGNED", "CHOICES", "COMPUTED", "CONVERTERS", "COUNTS", "DEFAULTS")
        ),
        *(
            (relations, table)
            for table in (
                "OMITTABLE_HOSTS",
                "SUPPORTED_VALUES",
                "LIMITS",
                "MARKS",
                "OFFSETS",
                "OUTSIDE",
                "PRESENT",
            )
        ),
        *(
            (relations, table)
            for table in ("REMAINDERS", "RIVALS", "CONSTANT_BITS", "INFERRED_HOST", "VALUES")
        ),
        *(
            (known_values, table)
            for table in ("EMBEDDED", "EXPECTED", "HEXADECIMAL", "OPTIONAL", "UNITS", "VALUES")
        ),
    ]
)


@pytest.mark.each(2)
@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("BaseHeader.Nothing", "BaseHeader has no field Nothing"),
        ("NoHeader.Size", "there is no structure NoHeader"),
    ],
)
def test_path_of_each_table(pages: Pages, monkeypatch: pytest.MonkeyPatch, path: str, problem: str) -> None:
    """Whatever a row says, it is of a field that there is: all tables are told that have such a row."""
    for module, name in WHOLE():
        rows = getattr(module, name)
        more = rows | {path} if isinstance(rows, frozenset) else {**rows, path: next(iter(rows.values()))}
        monkeypatch.setattr(module, name, more)
    sentences = {mistake.sentence for mistake in find(pages.done, pages.homes)}
    assert {f"{name}: {path}: {problem}" for _, name in WHOLE()} - sentences == set()


@pytest.mark.each(2)
@pytest.mark.parametrize("place", [0, 1])
def test_numbers_of_a_rival(pages: Pages, monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    """Both are looked up; the line is that of the number."""
    ((path, numbers),) = relations.RIVALS.items()
    wrong = list(numbers)
    wrong[place] = "ExtensionHeader.Size"
    monkeypatch.setattr(relations, "RIVALS", {path: tuple(wrong)})
    (mistake,) = find(pages.done, pages.homes)
    assert mistake.sentence == "RIVALS: ExtensionHeader.Size: ExtensionHeader has no field Size"


@pytest.mark.each(2)
@pytest.mark.parametrize("table", ["READINGS", "MAKERS"])
def test_readings_of_no_structure(pages: Pages, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    def function(_: Any) -> None:
        """What the line is of."""

    monkeypatch.setattr(readings, table, {**getattr(readings, table), "NoHeader": {"nothing": function}})
    (mistake,) = find(pages.done, pages.homes)
    assert mistake.sentence == f"{table}: there is no structure NoHeader"
    assert mistake.line == function.__code__.co_firstlineno


def test_groups_of_a_sign(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "CONSTANT_BITS", {"UserHeader.Flags": {"MP": 1, "QQ": 0}})
    (mistake,) = find(pages.done, pages.homes)
    assert mistake.sentence == "CONSTANT_BITS: QQ: UserHeaderFlags has no group QQ"


def test_a_sign_that_announces_a_part(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not constant."""
    monkeypatch.setattr(relations, "CONSTANT_BITS", {"UserHeader.Flags": {"MP": 1, "HH": 0}})
    (mistake,) = find(pages.done, pages.homes)
    assert mistake.sentence == "CONSTANT_BITS: HH: UserHeader.Flags.HH announces UserMessage.SoapHeader"


@pytest.mark.long
def test_a_field_that_is_renamed_is_told_wherever_it_is_written(tmp_path: Path) -> None:
    done = complaints(tmp_path, {"definitions/c_mqmq.py": ("uint32 SentTime;  ", "uint32 TimeSent;  ")}, ".")
    endings = ("UserHeader has no field SentTime", "SentTime: no field or group has this name now")
    assert [line for line in done if not line.endswith(endings)] == []
    files = {line.partition(":")[0] for line in done}
    assert files >= {
        "src/msmq_wire/views/known_values.py",
        "src/msmq_wire/checks/rules/mqmq_common.py",
        "src/msmq_wire/machines/session/sender.py",
        "src/msmq_wire/arrow/messages.py",
    }
    assert "specs/vectors/mqqb-4.1.toml" in files


@pytest.mark.long
def test_a_flag_that_is_renamed_is_told_wherever_it_is_written(tmp_path: Path) -> None:
    """By its path in relations, comments, bends and requirements, and by its name in arguments."""
    done = complaints(tmp_path, {"definitions/c_mqrr.py": ("uint8 DL : 1;  ", "uint8 LD : 1;  ")}, ".")
    assert {re.sub(r":\d+:.*", "", line) for line in done} == {
        "src/msmq_wire/definitions/relations.py",
        "src/msmq_wire/definitions/c_mqmq.py",
        "src/msmq_wire/testing/bent/bases.py",
        "specs/requirements/MS-MQRR.toml",
        "src/msmq_wire/testing/strategies/headers.py",
    }
    for line in done:
        name, number, _ = line.split(":", 2)
        assert "DL" in (tmp_path / name).read_text("utf-8").splitlines()[int(number) - 1]


@pytest.mark.long
def test_a_name_is_found_in_a_keyword_and_at_the_end_of_a_path(tmp_path: Path) -> None:
    """Where a path is a part of a longer text, too."""
    changes = {"definitions/c_mqmq.py": ("QueueManagerAddress;  ", "QueueManagerAddres;  ")}
    done = complaints(tmp_path, changes, ".")
    places = {tuple(line.split(":")[:2]) for line in done}
    bends = "src/msmq_wire/testing/bent/several_fields.py"
    lines = (tmp_path / bends).read_text("utf-8").splitlines()
    named = [number for number, line in enumerate(lines, 1) if "UserHeader__QueueManagerAddress" in line]
    assert named
    assert {(bends, str(number)) for number in named} <= places


def test_every_mistake_is_told(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "SUPPORTED_VALUES", {"BaseHeader.A": (1,), "BaseHeader.B": (1,)})
    assert [mistake.sentence[-1] for mistake in find(pages.done, pages.homes)] == ["A", "B"]


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("EXTENTS", "MQDSPUBLICKEYS"),
        ("PRESENT", "UserMessage.DebugHeader"),
        ("INFERRED_HOST", "QueueManagerAddress"),
    ],
)
def test_line_of_a_row(table: str, key: str) -> None:
    """That of the key, or of another text of the row, within its table."""
    file = Path(relations.__file__)
    lines = file.read_text("utf-8").splitlines()
    number = line_of_row(file, table, key)
    assert f'"{key}"' in lines[number - 1]
    heads = [line for line in lines[:number] if re.match(r"[A-Z_]+\b.*=", line)]
    assert heads[-1].startswith(table)


def test_line_of_no_row() -> None:
    assert line_of_row(Path(relations.__file__), "EXTENTS", "UserMessage.DebugHeader") == 0


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("BaseHeader.Flags.PR", ""),
        ("BaseHeader.Flags", ""),
        ("BaseHeader.Flags.PR.X", "there is no field within BaseHeader.Flags.PR"),
        ("Header", "UserMessage has no field Header"),
    ],
)
def test_resolve(pages: Pages, path: str, problem: str) -> None:
    assert resolve(pages.done["UserMessage"], path) == problem
