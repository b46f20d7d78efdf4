"""Published packets that nobody of this project made: what is read, and the violations at each level."""

from __future__ import annotations

import tomllib
from typing import Any, Final

import pytest
from support_rows import for_each, table
from support_specs import SPECS

import msmq_wire as mw
from msmq_wire.checks.validation import validate

_ROWS: Final = tomllib.loads((SPECS / "vectors" / "published.toml").read_text(encoding="utf-8"))["published"]
PUBLISHED: Final[dict[str, Any]] = {row["name"]: row for row in _ROWS}
LEVELS: Final = ("must", "should", "practice")
READ: Final = table(lambda: [name for name, row in PUBLISHED.items() if "packet" in row])


def _record(row: dict[str, Any]) -> Any:
    data = bytes.fromhex(row["hex"])
    return mw.decode(data) if row["packet"] != "BaseHeader" else mw.Record.class_of("BaseHeader").decode(data)


@for_each("name", lambda: PUBLISHED)
def test_each_has_its_source_and_its_reason(name: str) -> None:
    row = PUBLISHED[name]
    assert row["provenance"]
    assert row["reason"]
    assert ("refused" in row) != ("packet" in row)


@for_each("name", lambda: [name for name in PUBLISHED if name not in READ()])
def test_refused(name: str) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(bytes.fromhex(PUBLISHED[name]["hex"]))
    assert caught.value.path == PUBLISHED[name]["refused"]


@for_each("name", READ)
def test_read_and_written(name: str) -> None:
    record = _record(PUBLISHED[name])
    assert type(record).__name__ == PUBLISHED[name]["packet"]
    assert record.encode() == bytes.fromhex(PUBLISHED[name]["hex"])


@for_each("level", lambda: LEVELS)
@for_each("name", READ)
def test_verdict(name: str, level: Any) -> None:
    row = PUBLISHED[name]
    found = validate(_record(row), level)
    wanted = [(one, lower) for lower in LEVELS[: LEVELS.index(level) + 1] for one in row[lower]]
    assert sorted((item.requirement, item.level) for item in found) == sorted(wanted)
    for item in found:
        assert item.section in {
            "[MS-MQMQ] 2.2.19.1",
            "[MS-MQMQ] 2.2.19.2",
            "[MS-MQMQ] 2.2.19.3",
            "[MS-MQQB] 2.2.3.1",
        }
        assert item.message.endswith(".")


def test_what_the_probe_is_told() -> None:
    """One thing, that AH is set; nothing of [MS-MQRR], which is for remote reads."""
    probe = _record(PUBLISHED["queuejumper-stage1-valid"])
    (found,) = validate(probe, "should")
    assert str(found) == (
        "UserMessage.UserHeader.Flags.AH is 1, but has to be 0 in a packet that is sent. "
        "(MQMQ-2.2.19.2-31, byte 60)"
    )
    read = {item.requirement for item in validate(probe, channel="remote-read")}
    assert read == {"MQRR-2.2.5.1-02", "MQRR-2.2.5.2-04", "MQRR-2.2.5.2-09"}
