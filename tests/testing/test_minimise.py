"""A reproducer has what matters, and nothing else."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire import testing as mt
from msmq_wire.testing.mutation.minimise import _Search

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = mqmq.UserMessage.of(Label="label", MessageBody=b"body" * 10).encode()


def test_one_of_several_changes_matters() -> None:
    """The planted defect is in one field; four mutations are stacked."""

    def fails(data: bytes) -> bool:
        result = mw.decode_lax(data)
        return {**result.fields, **result.doubtful}.get("MessagePropertiesHeader.LabelLength") == 255

    packet = mqmq.UserMessage.decode(SEED)
    header = mw.replace(packet.MessagePropertiesHeader, LabelLength=255)
    mutant = mt.mutate(
        mw.replace(packet, MessagePropertiesHeader=header).encode(), 3, mutation="set-reserved"
    )
    assert fails(mutant.data)
    small = mt.minimise(SEED, mutant, fails)
    assert fails(small.data)
    assert len(small.data) < len(SEED)
    assert small.changes > 1
    assert "UserMessage.MessagePropertiesHeader.LabelLength: 6 -> 255" in small.difference.splitlines()


def test_equal_bytes_are_not_tried_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any one of many zeros, the same bytes remain, so a long body of zeros takes few attempts."""
    attempts = 0
    fails = _Search.fails

    def counted(search: _Search, data: bytes) -> bool:
        nonlocal attempts
        attempts += 1
        return fails(search, data)

    monkeypatch.setattr(_Search, "fails", counted)
    seed = mqmq.UserMessage.of(MessageBody=bytes(3000)).encode()
    small = mt.minimise(seed, b"\xff" + seed[1:], lambda data: len(data) > 2000)
    assert (len(small.data), small.complete) == (2001, True)
    assert attempts < 1000


def test_changes_of_any_kind() -> None:
    """Two bytes at random places in bytes of other sizes: just these are left."""
    random = Random(1)  # noqa: S311  # repeatable
    for _ in range(30):
        mutant = mt.mutate(SEED, random.getrandbits(30), stacked=4).data
        marked = bytearray(mutant)
        marked[random.randrange(len(marked))] = 0xA7

        def fails(data: bytes) -> bool:
            return 0xA7 in data

        assert mt.minimise(SEED, bytes(marked), fails).data == b"\xa7"


@pytest.mark.parametrize(
    "is_framed", [lambda size, data: size <= len(data), lambda size, data: size == len(data)]
)
def test_readers_that_compare_the_size(is_framed: Callable[[int, bytes], bool]) -> None:
    """A reader of a stream compares PacketSize; the planted defect is in bytes 64 and 65."""
    seed = mqmq.UserMessage.of(
        Label="label", MessageBody=b"body", DestinationQueue=r"DIRECT=OS:server\orders"
    ).encode()
    mutant = seed[:64] + b"\xff\xff" + seed[66:]

    def fails(data: bytes) -> bool:
        size = int.from_bytes(data[8:12], "little")
        return data[4:8] == b"LIOR" and is_framed(size, data) and data[64:66] == b"\xff\xff"

    small = mt.minimise(seed, mutant, fails)
    assert small.complete
    assert len(small.data) == 66
    assert "UserMessage.BaseHeader.VersionNumber" not in small.difference
    assert mt.minimise(seed, small.data, fails).data == small.data


def test_it_is_repeatable_and_bounded() -> None:
    mutant = mt.mutate(SEED, 5, stacked=4)
    calls = []

    def fails(data: bytes) -> bool:
        calls.append(data)
        return len(data) % 2 == len(mutant.data) % 2 and data[:4] == mutant.data[:4]

    first = mt.minimise(SEED, mutant, fails)
    assert first.calls == len(calls) <= 2000
    assert first == mt.minimise(SEED, mutant, fails)
    few = mt.minimise(SEED, mutant, fails, calls=7)
    assert (few.calls, few.complete) == (7, False)
    assert fails(few.data)


def test_what_does_not_fail_is_refused() -> None:
    with pytest.raises(mw.MsmqWireError, match="does not fail"):
        mt.minimise(SEED, SEED, lambda _: False)
    with pytest.raises(mw.MsmqWireError, match="1 to 10000"):
        mt.minimise(SEED, SEED, lambda _: True, calls=0)


def test_the_case_for_pytest_runs() -> None:
    """Its source is a test that passes these bytes to a function."""
    reproducer = mt.minimise(SEED, SEED[:40] + b"\xa7" * 100, lambda data: data.count(0xA7) > 49)
    received: list[bytes] = []
    scope: dict[str, object] = {"check": received.append}
    exec(reproducer.pytest_case("planted"), scope)  # noqa: S102  # what a user does with it
    scope["test_planted"]()  # type: ignore[operator]
    assert received == [reproducer.data] == [b"\xa7" * 50]
    with pytest.raises(mw.MsmqWireError):
        reproducer.pytest_case("no name")


@pytest.mark.parametrize(
    "label", ["a\0b", "a\nb", "a\rb", "a\x0cb", "a\x1b[31m", "a\x85b\u2028c", "a\ud800", "a\u202eb"]
)
def test_texts_in_a_case_are_escaped(label: str) -> None:
    reproducer = mt.Reproducer(mqmq.UserMessage.of(Label=label).encode(), SEED, 1, 1, complete=True)
    assert all(line.isprintable() and ": " in line for line in reproducer.difference.split("\n"))
    scope: dict[str, object] = {}
    exec(reproducer.pytest_case(), scope)  # noqa: S102  # what a user does with it
    assert "test_reproducer" in scope
