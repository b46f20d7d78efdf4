"""Sequences of packets from the page, each with what it violates: all disagreements at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support_rows import table
from support_sequences import PACKET, WAYS, Play, given_values, lines_of
from support_specs import load_requirements

import msmq_wire as mw
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.checks.sessions.steps import reportable

FILE = Path(__file__).with_name("session_packets.txt")
LINES = table(
    lambda: [
        *lines_of(FILE),
        *(f"{row.section} {row.violated_by} !{row.id}" for row in load_requirements() if row.violated_by),
    ]
)


def _difference(line: str) -> str | None:
    """Return what the monitor says otherwise than the line."""
    section, *words = line.split()
    play, options = Play(), {word for word in words if word.startswith("{")}
    late = any(word.startswith("*") for word in words)
    monitor = SessionMonitor(
        idle=not late,
        one_connection="{one}" in options,
        opener="->" if "{one}" in options else None,
        routes="{routes}" not in options,
    )
    steps: list[tuple[str, set[str]]] = []
    for word in " ".join(words).replace("open", ">E <E >P <P").split():
        if word.startswith("!"):
            steps[-1] = (steps[-1][0], set(word[1:].split(",")))
        elif word not in options:
            steps.append((word, set()))
    for word, expected in steps:
        if word == "end":
            monitor.disconnect()
            continue
        match = PACKET.fullmatch(word)
        assert match is not None, word
        unseen, way, kind, numbers, given = match.groups()
        packet = play.packet(way, kind, numbers, given_values(given))
        if unseen == "~":
            monitor.gap(WAYS[way])
        in_session = () if unseen else monitor.feed(WAYS[way], packet)
        found, told = {item.requirement for item in in_session}, {item.message for item in in_session}
        if not unseen:  # what one packet proves, `validate` says, also where it does not know the direction
            own = {item.requirement for item in mw.validate(packet) if item.message not in told}
            found |= own & reportable()
        if found != expected:
            return f"{section} {' '.join(words)}: {word} is {sorted(found) or 'legal'}"
    return None


@pytest.mark.tables
def test_sequences_of_the_page() -> None:
    assert [difference for line in LINES() if (difference := _difference(line)) is not None] == []


def test_every_requirement_of_a_session_is_in_a_sequence() -> None:
    """Those of Pings and of bytes that are no packet have tests of their own."""
    named = set(re.findall(r"MQ\w\w-[\d.]+-\d+", "\n".join(LINES())))
    elsewhere = ("MQQB-2.2.1-04", "MQQB-2.2.7-", "MQQB-3.1.5.1.")
    others = {name for name in reportable() if name.startswith(elsewhere)}
    assert reportable() - others - named == {"MQQB-2.2.1-06", "MQQB-2.2.3.1-23"}
