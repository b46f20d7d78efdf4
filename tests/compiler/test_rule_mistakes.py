"""A mistake in the rules is one sentence with file and line."""

from __future__ import annotations

import ast
import re
from difflib import ndiff
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support_copy import complaints

from msmq_wire.checks import rules as tables
from msmq_wire.checks.profiles import UnsupportedFeature
from msmq_wire.checks.rules import Comparison, Embedded, Rule
from msmq_wire.compiler import generate
from msmq_wire.compiler.checks import rule_mistakes
from msmq_wire.compiler.checks.mistakes import Mistakes
from msmq_wire.compiler.checks.rule_mistakes import find
from msmq_wire.compiler.checks.validators import ValidatorEmitter, validator_names
from msmq_wire.compiler.emit import ModuleText
from msmq_wire.definitions import relations
from msmq_wire.documents.layouts import structures

if TYPE_CHECKING:
    from msmq_wire.compiler.pages import Pages

RULES = "checks/rules/mqmq_common.py"
HEADERS = "checks/rules/mqmq_message.py"
BENT = "testing/bent/several_fields.py"


@pytest.mark.each(8)
@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (
            RULES,
            'must_be("MQMQ-2.2.19.1-01", "VersionNumber", 0x10)',
            'must_be("MQMQ-2.2.19.1-01", "VersionNumer", 0x10)',
            "MQMQ-2.2.19.1-01: BaseHeader.VersionNumer: BaseHeader has no field VersionNumer",
        ),
        (
            RULES,
            'rule("MQMQ-2.2.19.1-37", "PacketSize", "<="',
            'rule("MQMQ-2.2.19.1-37", "PacketSize", "=<"',
            "MQMQ-2.2.19.1-37: BaseHeader.PacketSize: there is no operator '=<'",
        ),
        (
            HEADERS,
            '*presence("UserMessage.SoapHeader", missing="MQMQ-2.2.19.2-34", extra="MQMQ-2.2.19.2-35")',
            '*presence("UserMessage.SoapHeader", missing="MQMQ-2.2.19.2-34")',
            (
                "PRESENT: UserMessage.SoapHeader: no rule of UserMessage reports "
                "SoapHeader without UserHeader.Flags.HH: add presence()"
            ),
        ),
        (
            RULES,
            'must_be("MQMQ-2.2.19.1-30"',
            '*presence("BaseHeader.PacketSize", missing="MQMQ-2.2.19.1-02"), must_be("MQMQ-2.2.19.1-30"',
            "MQMQ-2.2.19.1-02: BaseHeader.PacketSize: presence: PRESENT has no row BaseHeader.PacketSize",
        ),
        (
            RULES,
            'must_be("MQMQ-2.2.19.1-30"',
            'must_be("MQMQ-2.2.19.1-99"',
            "MQMQ-2.2.19.1-99 is not in the catalogue of requirements",
        ),
        (
            HEADERS,
            'unused("MQMQ-2.2.19.2", "Flags", X1=12, X2=29, X4=36)',
            'unused("MQMQ-2.2.19.2", "Flags", X1=12, X2=29, X4=96)',
            "MQMQ-2.2.19.2-96 is not in the catalogue of requirements",
        ),
        (
            HEADERS,
            'must_be("MQMQ-2.2.20.8-30"',
            'must("MQMQ-2.2.20.8-30"',
            "name 'must' is not defined",
        ),
        (
            HEADERS,
            'must_be("MQMQ-2.2.20.8-30", "Reserved", 0, SHOULD)',
            'must_be("MQMQ-2.2.20.8-30", "Reserved")',
            "TypeError: must_be() missing 1 required positional argument: 'value'",
        ),
        (
            HEADERS,
            'must_be("MQMQ-2.2.20.8-30", "Reserved", 0, SHOULD)',
            'must_be("MQMQ-2.2.20.8-30", "Reserved", 0 SHOULD)',
            "Python cannot read it: invalid syntax. Perhaps you forgot a comma?",
        ),
        (
            HEADERS,
            'must_be("MQMQ-2.2.20.8-30", "Reserved", 0, SHOULD)',
            'must_be("MQMQ-2.2.20.8-30", "Reserved", 0x10000, SHOULD)',
            "MQMQ-2.2.20.8-30: DebugHeader.Reserved: DebugHeader.Reserved has 16 bits, and cannot be 0x10000",
        ),
        (
            BENT,
            '"UserHeader.DestinationQueue": queue',
            '"UserHeader.DestinationQueu": queue',
            "UserHeader.DestinationQueu leads to no field of any structure",
        ),
    ],
)
def test_sentence(tmp_path: Path, file: str, old: str, new: str, sentence: str) -> None:
    """The command says what is wrong, and in which line."""
    (line,) = complaints(tmp_path, {file: (old, new)}, "requirements")
    said = re.fullmatch(r"src/msmq_wire/(\S+\.py):(\d+): (.*)", line)
    assert said, line
    assert said[3] == sentence
    if said[1] == file:
        path = tmp_path / "src" / "msmq_wire" / file
        assert new in path.read_text("utf-8").splitlines()[int(said[2]) - 1]


def _row(path: str, operator: str = "==", value: Any = 0, *when: Comparison) -> Rule:
    return Rule("MQMQ-2.2.19.1-01", path, operator, value, "0", when=when)


@pytest.mark.each(7)
@pytest.mark.parametrize(
    ("table", "row", "problem"),
    [
        ("RULES", {"NoHeader": (_row("Field"),)}, "there is no structure NoHeader"),
        ("RULE_FUNCTIONS", {"NoHeader": ()}, "there is no structure NoHeader"),
        ("EMBEDDED", {"BaseHeader": (Embedded("Body", lambda _: ()),)}, "BaseHeader has no field Body"),
        ("RULES", {"BaseHeader": (_row("Flags.QQ"),)}, "BaseHeaderFlags has no group QQ"),
        ("RULES", {"BaseHeader": (_row("PacketSize", "bytes of", "Body"),)}, "BaseHeader has no field Body"),
        (
            "RULES",
            {"BaseHeader": (_row("PacketSize", "==", 0, Comparison("Siz", "==", 1)),)},
            "BaseHeader has no field Siz",
        ),
        ("UNCHECKED", {"BaseHeader.Flags": "never"}, "BaseHeader.Flags is not a row of PRESENT"),
    ],
)
def test_mistakes_in_tables_of_rules(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, table: str, row: dict[str, Any], problem: str
) -> None:
    monkeypatch.setattr(rule_mistakes, table, {**getattr(tables, table), **row})
    (mistake,) = find(pages.done)
    assert mistake.sentence.endswith(problem)
    assert mistake.line == 0 or table in {"RULES", "EMBEDDED"}  # the row is in no file; others name the table


def test_paths_of_bends(pages: Pages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths begin with a structure or a field, and may lead into a form; other texts are no paths."""
    good = "UserHeader.SentTime", "Flags.PR", "SecurityHeader.SecurityData.SenderCert", "no.path", "Flags"
    bad = "UserHeader.SentTim", "UserHeader.Flags.QQ"
    (tmp_path / "bends.py").write_text("\n".join(f"({name!r})" for name in (*good, *bad)), "utf-8")
    monkeypatch.setattr(rule_mistakes, "BENT", tmp_path)
    assert [(mistake.line, mistake.sentence) for mistake in find(pages.done)] == [
        (len(good) + at, f"{name} leads to no field of any structure") for at, name in enumerate(bad, 1)
    ]


def test_profiles(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    lack = UnsupportedFeature("UserHeader", "Flags.QQ", "MQMQ-2.2.19.2-14", 1, 1, "", lambda *_: False, "0")
    monkeypatch.setattr(rule_mistakes, "LACKS", (lack, lack._replace(structure="NoHeader")))
    assert [mistake.sentence.rpartition(": ")[2] for mistake in find(pages.done)] == [
        "UserHeaderFlags has no group QQ",
        "there is no structure NoHeader",
    ]


def test_a_part_whose_flag_no_rule_checks(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both when the flag is set without the part, and when it is clear with it."""
    more = {**relations.PRESENT, "BaseHeader.TimeToReachQueue": "BaseHeader.Flags.DH"}
    monkeypatch.setattr(relations, "PRESENT", more)
    problem = "PRESENT: BaseHeader.TimeToReachQueue: no rule of BaseHeader reports"
    part, flag = "TimeToReachQueue", "BaseHeader.Flags.DH"
    found = [mistake.sentence for mistake in find(pages.done)]
    assert found == [
        f"{problem} {flag} without {part}: add presence()",
        f"{problem} {part} without {flag}: add presence()",
    ]


def test_a_rule_that_forbids_what_announces_a_part(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is that of the rule."""
    monkeypatch.setitem(relations.PRESENT, "UserMessage.SoapHeader", "UserHeader.Flags.X2")
    (mistake,) = [mistake for mistake in find(pages.done) if mistake.file.name == "mqmq_message.py"]
    assert mistake.sentence == (
        "MQMQ-2.2.19.2-29: UserHeader.Flags.X2 has to be 0, but 1 announces UserMessage.SoapHeader"
    )
    assert "X2=29" in mistake.file.read_text("utf-8").splitlines()[mistake.line - 1]


def test_the_place_of_a_rule_is_the_innermost_call() -> None:
    """Which has as many of the words as what is around it."""
    call = ast.parse('outer(\n    inner("a name"),\n    other("b"),\n)', mode="eval").body
    file = Path("rules.py")
    assert rule_mistakes.best_call(file, 1, call, ("a name",)) == (1, file, 2)
    assert rule_mistakes.best_call(file, 1, call, ("a name", "b")) == (2, file, 1)
    assert rule_mistakes.best_call(file, 7, call, ("no name",)) == (0, file, 7)


def test_rows_are_named_by_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows between others add lines to the generated module and change none."""

    def generated() -> list[str]:
        module = ModuleText()
        ValidatorEmitter(module, structures()["BaseHeader"], validator_names(structures().values()))
        return module.text().splitlines()

    before = generated()
    first, *others = tables.RULES["BaseHeader"]
    rows = (
        Rule("MQMQ-2.2.20-01", "VersionNumber", "<=", 77, "at most 77"),
        Rule("MQMQ-2.2.20-03", "", "fits", lambda _: True, "anything"),
    )
    monkeypatch.setitem(tables.RULES, "BaseHeader", (first, *rows, *others))
    changes = [line for line in ndiff(before, generated()) if line[0] in "+-" and line[1:].strip()]
    assert changes == [
        '+ base_header_mqmq_2_2_20_03 = BASE_HEADER_ROWS["MQMQ-2.2.20-03"].value',
        "+     if version_number > 0x4d:",
        '+         search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.20-01"])',
        "+     if not base_header_mqmq_2_2_20_03(record):",
        '+         search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.20-03"])',
    ]


def test_several_rows_of_one_requirement() -> None:
    rows = [_row("A"), _row("B"), _row("C")]
    assert list(tables.rows_by_id(rows)) == [
        "MQMQ-2.2.19.1-01",
        "MQMQ-2.2.19.1-01/2",
        "MQMQ-2.2.19.1-01/3",
    ]


def test_files_that_are_absent_or_differ_are_stale(tmp_path: Path) -> None:
    texts = {tmp_path / name: f"# {name}\n" for name in ("same.py", "other.py", "absent.py")}
    (tmp_path / "same.py").write_text("# same.py\n", encoding="utf-8")
    (tmp_path / "other.py").write_text("# another\n", encoding="utf-8")
    assert generate.stale_files(texts) == [tmp_path / "other.py", tmp_path / "absent.py"]


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ('[[requirement]]\nid = "A"\n[[requirement]]\nlevel = "MUST"\n', 3, "this requirement has no id"),
        ('[[requirement]]\nid = "A\n', 2, "TOML: Illegal character"),
    ],
)
def test_a_catalogue_that_cannot_be_read(
    text: str, line: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "MS-MQQB.toml").write_text(text, "utf-8")
    monkeypatch.setattr(rule_mistakes, "_CATALOGUE", tmp_path)
    with pytest.raises(Mistakes) as caught:
        rule_mistakes.catalogue()
    (mistake,) = caught.value.mistakes
    assert (mistake.file.name, mistake.line) == ("MS-MQQB.toml", line)
    assert mistake.sentence.startswith(sentence)
