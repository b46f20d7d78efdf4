"""What is compared for speed does the same."""

from __future__ import annotations

import pytest

from . import hand, ours
from .agreement import disagreements
from .samples import MESSAGE, NAMES, build_message, sample


@pytest.mark.parametrize("name", NAMES)
def test_hand_agrees(name: str) -> None:
    """HAND reads the same values and writes the same bytes."""
    assert disagreements(hand.CODECS[name], sample(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_ours_agrees(name: str) -> None:
    """So does what is timed as ours; and the comparison sees what differs."""
    codec = ours.CODECS[name]
    assert disagreements(codec, sample(name)) == []
    other = sample(name)._replace(data=sample(name).data[:-1] + b"\xfe")
    assert disagreements(codec, other) != []


def test_hand_builds_the_same() -> None:
    """HAND computes the same lengths."""
    built = build_message(MESSAGE)
    assert hand.build_and_encode(MESSAGE) == built.encode()
    for queue in ("OS:a", "OS:ab", "", "OS:\U0001f600\0"):
        for body in (b"", b"a", bytes(4)):
            message = MESSAGE._replace(queue=queue, body=body, label="", sid=b"x")
            assert hand.build_and_encode(message) == build_message(message).encode()


@pytest.mark.parametrize("name", NAMES)
def test_hand_refuses(name: str) -> None:
    """HAND has the checks: what is cut short is refused."""
    data = sample(name).data
    for end in {*range(min(len(data), 300)), *range(0, len(data), 97), len(data) - 1}:
        with pytest.raises(ValueError):  # noqa: PT011  # HAND has no words for it
            hand.CODECS[name].decode(data[:end])
