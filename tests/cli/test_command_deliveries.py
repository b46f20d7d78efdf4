"""The verbs `deliveries` and `follow`: what became of messages, as the table has it."""

from __future__ import annotations

import csv
import datetime as dt
import json
import re
import struct
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support_by_hand import Capture
from support_fates import History, write

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqqb
from msmq_wire.captures.answers.deliveries.reasons import STATES
from msmq_wire.cli.commands import deliveries
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("deliveries")
    write_captures(place, 120, seed=11, files=2, faults=Faults.all())
    return place / "captures"


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures with all that comes back for messages."""
    place = tmp_path_factory.mktemp("stories")
    write(place, [History(seed) for seed in range(8)])
    return place


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, Any]]:
    table = captures.tables(folder, ["deliveries"])["deliveries"].read_all()
    listed: list[dict[str, Any]] = table.to_pylist()
    return listed


def test_a_line_for_each_message(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    _, out, _ = run("deliveries", folder)
    *lines, last = out.splitlines()
    assert Counter(line.split()[0] for line in lines) == Counter(row["state"] for row in rows)
    assert last.startswith(f"{len(rows)} messages: ")


def test_sensors_whose_clocks_differ(run: Run, tmp_path: Path) -> None:
    """The refusal was captured five minutes before the message, by the clock of another sensor."""
    sender, named = mw.GUID(b"S" * 16), b"S" * 16 + (7).to_bytes(4, "little")
    fields: dict[str, Any] = {
        "SourceQueueManager": sender,
        "MessageID": 7,
        "DestinationQueue": r"DIRECT=OS:a\b",
        "SentTime": Capture().time // 1_000_000 + 200,
    }
    sent = mw.encode(mqmq.UserMessage.of(**fields))
    fields |= {"SourceQueueManager": mw.GUID(b"R" * 16), "CorrelationID": named, "MessageClass": 0x8000}
    for name, data, seconds in (("one", sent, 0), ("two", mw.encode(mqmq.UserMessage.of(**fields)), -300)):
        capture = Capture()
        capture.time += seconds * 1_000_000
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.pcap").write_bytes(capture.open().send(data).close().data)
    texts = [run("deliveries", tmp_path, *more)[1] for more in ((), ("--clock-tolerance", "400"))]
    states = [[line.split()[0] for line in text.splitlines()[:-1] if str(sender) in line] for text in texts]
    assert [sorted(of) for of in states] == [["refused", "unknown"], ["refused"]]
    stories = [
        run("follow", f"{sender}\\7", tmp_path, *more)[1] for more in ((), ("--clock-tolerance", "400"))
    ]
    assert stories[1].startswith(f"{sender}\\7: refused")
    assert ["is ahead of that of the sensor" in story for story in stories] == [True, False]


@pytest.mark.parametrize("seconds", [20, 300])
def test_the_time_of_a_message_ends_while_others_talk(run: Run, tmp_path: Path, seconds: int) -> None:
    """The deadline and the tolerance are 70 seconds; the last frame is of another protocol.

    A time within the file is damaged.
    """
    sent_at = 1_700_000_000
    message = mqmq.UserMessage.of(
        MessageID=7,
        TimeToReachQueue=10,
        SentTime=sent_at,
        AdminQueue="DIRECT=OS:sender\\private$\\admin",
        MessagePropertiesHeaderFlags=mqmq.MessagePropertiesHeaderFlags(PA=1),
    )
    ends = mqqb.EstablishConnectionHeader(ClientGuid=mw.GUID(b"S" * 16), ServerGuid=mw.GUID(b"R" * 16))
    capture, web = Capture().open(), Capture(port=80)
    for packet in (
        mqqb.EstablishConnection(EstablishConnectionHeader=ends),
        mqqb.ConnectionParameters(),
    ):
        capture.send(packet.encode()).send(packet.encode(), way="<-")
    capture.send(mw.encode(message))
    web.time = capture.time + seconds * 1_000_000
    web.open().send(b"GET / HTTP/1.1\r\n\r\n")
    damaged = capture.time + 10**12, web.frames[0][1]
    capture.frames += [damaged, *web.frames]
    path = tmp_path / "a.pcap"
    path.write_bytes(capture.data)
    for more in ((), ("--format", "jsonl", "--fields", "state")):
        _, out, _ = run("deliveries", path, *more)
        assert ("expired" in out) == (seconds > 70)


def test_the_help_has_each_state() -> None:
    text = deliveries.callback.__doc__ or ""
    assert all(re.search(rf"\b{state}\b", text) for state in STATES)


def test_conditions_and_lines_of_json(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    _, out, _ = run("deliveries", folder, "--where", "state=refused", "--format", "jsonl")
    refused = [json.loads(line) for line in out.splitlines()]
    assert {row["message"] for row in refused} == {
        row["message"] for row in rows if row["state"] == "refused"
    }
    assert refused


def test_columns_and_formats(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    """As other lists have them: chosen columns, also within lists, and so many rows."""
    fields = "message,state,hops.to"
    _, out, _ = run("deliveries", folder, "--fields", fields)
    listed = [json.loads(line) for line in out.splitlines()]
    assert sorted((row["message"], row["state"], row["hops.to"]) for row in listed) == sorted(
        (row["message"], row["state"], [hop["to"] for hop in row["hops"]]) for row in rows
    )
    _, out, _ = run("deliveries", folder, "--fields", fields, "--limit", "2")
    assert [json.loads(line) for line in out.splitlines()] == listed[:2]
    _, out, _ = run("deliveries", folder, "--format", "csv", "--limit", "3")
    again = [*csv.DictReader(out.splitlines())]
    assert [row["message"] for row in again] == [row["message"] for row in listed[:3]]
    assert [*again[0]] == captures.SCHEMAS["deliveries"].names
    _, out, _ = run("deliveries", folder, "--format", "table", "--limit", "3")
    heads, *lines = out.splitlines()
    assert heads.split() == ["first_at", "state", "message", "destination", "label", "why"]
    assert len(lines) == 3
    _, out, _ = run("deliveries", folder, "--limit", "3")
    assert len(out.splitlines()) == 4
    assert out.splitlines()[-1].startswith(f"{len(rows)} messages: ")
    status, out, err = run("deliveries", folder, "--format", "csv", "--schema", "ecs")
    assert (status, out) == (2, "")
    assert "--schema names the fields of JSON lines" in err


def test_follow_an_identifier(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    row = next(row for row in rows if row["hops"])
    _, out, _ = run("follow", row["message"].upper(), folder)
    lines = out.splitlines()
    assert lines[0] == f"{row['message']}: {row['state']}"
    assert lines[1] == f"  {row['why']}"
    hop = row["hops"][0]
    assert f"from {hop['from']} to {hop['to']}: {hop['file']}, frame {hop['first_frame']}" in out
    times = [line[:26] for line in lines if not line.startswith(" ")][1:]
    assert times == sorted(times)
    manager, _, number = row["message"].partition("\\")
    assert run("follow", f"{{{manager}}}\\{number}", folder)[1] == out
    status, out, err = run("follow", "", folder)
    assert (status, out) == (2, "")
    assert "expected the identifier of a message" in err


@pytest.mark.each(3)
@pytest.mark.parametrize(
    "words",
    [
        "from",
        "acknowledged it in the session",
        "reports that it stored it",
        "says MQMSG_CLASS_ACK_RECEIVE",
        "an OrderAck acknowledges",
        "a FinalAck says",
        "sends message",
    ],
)
def test_each_event_of_a_story_names_its_frame(run: Run, stories: Path, words: str) -> None:
    """The time of each is that of the frame in its line, read from the file."""
    _, out, _ = run("follow", "letter", stories)
    events = [line for line in out.splitlines() if re.match(r"\d{4}-\d\d-\d\d ", line)]
    own = [event for event in events if f" {words} " in event or f" {words}: " in event]
    assert own
    for event in own:
        place = re.fullmatch(r"(.{26})  .*: (\S+), frame (\d+)(?:, .*)?", event)
        assert place is not None
        assert place[1] == time_in(Path(place[2]), int(place[3]))


def time_in(capture: Path, frame: int) -> str:
    """The time of a frame in a pcap file of microseconds, by its headers alone."""
    data = capture.read_bytes()
    order = "<" if data[:4] == b"\xd4\xc3\xb2\xa1" else ">"
    at = 24
    for _ in range(frame - 1):
        at += 16 + struct.unpack_from(f"{order}I", data, at + 8)[0]
    seconds, micro = struct.unpack_from(f"{order}II", data, at)
    return f"{dt.datetime.fromtimestamp(seconds, dt.UTC):%Y-%m-%d %H:%M:%S}.{micro:06}"


def test_follow_in_a_file_of_packets(run: Run, tmp_path: Path) -> None:
    """Its packets have neither addresses, frames nor times; none is invented."""
    path = tmp_path / "a.bin"
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(SentTime=1_700_000_000, TimeToBeReceived=5),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="letter"),
    )
    path.write_bytes(mw.encode(mqqb.SessionAck()) + mw.encode(message))
    _, out, _ = run("follow", "letter", path)
    deadline, hop = out.splitlines()[-2:]
    assert deadline.endswith(": not known whether it passed, because its packets have no times")
    assert hop == f"at an unknown time  in a file of packets: {path}, byte 36"


def test_follow_a_part_of_a_label(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    label = next(row["label"] for row in rows if row["label"])
    _, out, _ = run("follow", label[1:].upper(), folder)
    named = [row for row in rows if label[1:].casefold() in (row["label"] or "").casefold()]
    heads = [part.splitlines()[0] for part in out.split("\n\n")]
    assert sorted(heads) == sorted(f"{row['message']}: {row['state']}" for row in named)


@pytest.mark.parametrize(
    "words", [("follow", "no such text"), ("deliveries", "--where", "label=no such text")]
)
def test_a_search_without_a_match_fails(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    status, out, err = run(*words, folder)
    assert (status, out) == (1, "")
    assert "no message" in err
