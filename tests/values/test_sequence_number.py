"""Sequence numbers: integers modulo 2**64, and the document's own arithmetic, octet by octet."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msmq_wire import EncodeError
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER, SEQUENCE_NUMBER

WORDS = st.integers(0, 2**64 - 1) | st.sampled_from((0, 1, 0xFF, 0x100, 2**64 - 1, 2**63, 0xFFFF_FFFF))


def increment(number: bytes) -> bytes:
    """[MC-MQDSRP] 2.2.2, Increment: from the eighth element to the first."""
    octets = bytearray(number)
    for index in range(7, -1, -1):
        octets[index] = (octets[index] + 1) & 0xFF
        if octets[index] != 0:
            break
    return bytes(octets)


def decrement(number: bytes) -> bytes:
    """[MC-MQDSRP] 2.2.2, Decrement."""
    octets = bytearray(number)
    for index in range(7, -1, -1):
        before = octets[index]
        octets[index] = (before - 1) & 0xFF
        if before != 0:
            break
    return bytes(octets)


def compare(one: bytes, other: bytes) -> int:
    """[MC-MQDSRP] 2.2.2, the rules of comparison."""
    for left, right in zip(one, other, strict=True):
        if left != right:
            return 1 if left > right else -1
    return 0


@given(WORDS)
@example(0)
@example(2**64 - 1)
def test_steps_are_those_of_the_document(word: int) -> None:
    number = SEQUENCE_NUMBER.of(word)
    assert number.increment().raw == increment(number.raw)
    assert number.decrement().raw == decrement(number.raw)
    assert number.increment().decrement() == number


@given(WORDS, st.integers(0, 700))
def test_sums_are_repeated_steps(word: int, count: int) -> None:
    up = down = SEQUENCE_NUMBER.of(word).raw
    for _ in range(count):
        up, down = increment(up), decrement(down)
    assert (SEQUENCE_NUMBER.of(word) + count).raw == up
    assert (SEQUENCE_NUMBER.of(word) - count).raw == down


@given(WORDS, WORDS)
def test_numbers_are_integers_modulo(one: int, other: int) -> None:
    left, right = SEQUENCE_NUMBER.of(one), SEQUENCE_NUMBER.of(other)
    assert int(left) == one
    assert int(left + other) == (one + other) % 2**64
    assert int(left - other) == (one - other) % 2**64
    assert left - right == (one - other) % 2**64
    assert right + (left - right) == left
    assert hex(left) == hex(one)


@given(WORDS, WORDS)
def test_order_is_that_of_the_document(one: int, other: int) -> None:
    left, right = SEQUENCE_NUMBER.of(one), SEQUENCE_NUMBER.of(other)
    verdict = compare(left.raw, right.raw)
    assert (left > right, left == right, left < right) == (verdict > 0, verdict == 0, verdict < 0)
    assert (left >= right, left <= right) == (one >= other, one <= other)
    assert (hash(left) == hash(right)) >= (one == other)
    assert MIN_SEQ_NUMBER <= left <= MAX_SEQ_NUMBER


def test_constants() -> None:
    assert MIN_SEQ_NUMBER.raw == b"\0" * 8
    assert MAX_SEQ_NUMBER.raw == b"\xff" * 8
    assert MAX_SEQ_NUMBER + 1 == MIN_SEQ_NUMBER
    assert MIN_SEQ_NUMBER - 1 == MAX_SEQ_NUMBER
    assert MIN_SEQ_NUMBER.decrement() == MAX_SEQ_NUMBER


def test_octets_stand_as_they_are() -> None:
    number = SEQUENCE_NUMBER.of(b"\1\2\3\4\5\6\7\0")
    assert int(number) == 0x0102030405060700
    assert str(number) == "0102030405060700"
    assert repr(number) == "SEQUENCE_NUMBER.of(0x102030405060700)"
    assert pickle.loads(pickle.dumps(number)) == number  # noqa: S301  # our own bytes


@pytest.mark.parametrize(
    "value",
    [
        7,
        b"\0\0\0\0\0\0\0\7",
        bytearray(b"\0\0\0\0\0\0\0\7"),
        "0000000000000007",
        SEQUENCE_NUMBER(bytes(7) + b"\7"),
    ],
)
def test_what_means_a_number(value: Any) -> None:
    made = SEQUENCE_NUMBER.of(value)
    assert made == SEQUENCE_NUMBER(b"\0\0\0\0\0\0\0\7")
    assert type(made.raw) is bytes


@pytest.mark.parametrize(
    "value",
    [
        -1,
        2**64,
        bytes(7),
        "7",
        "0" * 17,
        "00 00 00 00 0000",
        "g" * 16,
        None,
        1.0,
        SEQUENCE_NUMBER(b"7"),
        SEQUENCE_NUMBER(7),  # type: ignore[arg-type]  # what a caller might do
        SEQUENCE_NUMBER("0" * 8),  # type: ignore[arg-type]  # as above
    ],
)
def test_what_means_none(value: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        SEQUENCE_NUMBER.of(value)
    assert caught.value.structure == caught.value.path == "SEQUENCE_NUMBER"
    assert caught.value.actual is value


@pytest.mark.parametrize("other", ["1", 1.0, None])
def test_arithmetic_with_anything_else(other: Any) -> None:
    with pytest.raises(TypeError):
        MIN_SEQ_NUMBER + other
    with pytest.raises(TypeError):
        MIN_SEQ_NUMBER - other
    with pytest.raises(TypeError):
        assert other > MIN_SEQ_NUMBER
