"""GUID: made of anything, compared as bytes, printed as text."""

from __future__ import annotations

import copy
import pickle
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmq_wire import GUID, NULL_GUID, EncodeError

WIRE = bytes.fromhex("D1587355 5091 9595 4997 B6E611EA26C6".replace(" ", ""))
TEXT = "557358d1-9150-9595-4997-b6e611ea26c6"


@pytest.mark.parametrize(
    "value",
    [
        TEXT,
        TEXT.upper(),
        "{" + TEXT + "}",
        TEXT.replace("-", ""),
        WIRE,
        bytearray(WIRE),
        memoryview(WIRE),
        uuid.UUID(TEXT),
        GUID(WIRE),
    ],
)
def test_of(value: GUID | uuid.UUID | str | bytes) -> None:
    """Whatever means a GUID makes the same one; Data1 to Data3 are little-endian on the wire."""
    made = GUID.of(value)
    assert made == GUID(WIRE)
    assert type(made.bytes_le) is bytes
    assert str(made) == TEXT
    assert repr(made) == f"GUID.of('{TEXT}')"
    assert made.uuid == uuid.UUID(TEXT)


def test_of_itself() -> None:
    """A GUID is returned as it is."""
    made = GUID(WIRE)
    assert GUID.of(made) is made


@pytest.mark.parametrize(
    "value",
    [
        "",
        "no",
        TEXT.replace("5", "\N{FULLWIDTH DIGIT FIVE}"),
        TEXT[:-1],
        b"",
        WIRE[:-1],
        WIRE + b"\0",
        5,
        None,
        1.5,
        [WIRE],
    ],
)
def test_of_nothing(value: object) -> None:
    """What means no GUID is refused with all facts."""
    with pytest.raises(EncodeError) as caught:
        GUID.of(value)  # type: ignore[arg-type]  # that is the point
    error = caught.value
    assert error.problem == f"expected a GUID, got {value!r}"
    assert (error.structure, error.path, error.actual) == ("GUID", "GUID", value)
    assert error.expected == "a GUID, a uuid.UUID, its text, or 16 bytes"
    assert str(error) == f"expected a GUID, got {value!r} - at `GUID`"


@given(raw=st.binary(min_size=16, max_size=16))
def test_text(raw: bytes) -> None:
    """The text is that of `uuid.UUID`, there and back."""
    made = GUID(raw)
    assert str(made) == str(uuid.UUID(bytes_le=raw))
    assert GUID.of(str(made)) == GUID.of(made.uuid) == made
    assert eval(repr(made), {"GUID": GUID}) == made  # noqa: S307  # our own repr


@given(raw=st.binary(min_size=16, max_size=16), other=st.binary(min_size=16, max_size=16))
def test_comparison(raw: bytes, other: bytes) -> None:
    """GUIDs compare, sort and hash as their bytes."""
    assert (GUID(raw) == GUID(other)) == (raw == other)
    assert (GUID(raw) < GUID(other)) == (raw < other)
    assert hash(GUID(raw)) == hash(GUID(bytes(raw)))
    assert bool(GUID(raw)) == any(raw)


def test_null() -> None:
    """The null GUID is sixteen zeros and false."""
    assert NULL_GUID.bytes_le == bytes(16)
    assert not NULL_GUID
    assert GUID(WIRE)
    assert str(NULL_GUID) == "00000000-0000-0000-0000-000000000000"
    assert GUID.of(uuid.UUID(int=0)) == NULL_GUID


def test_immutable_and_copied() -> None:
    """A GUID cannot change; copies and pickles are equal."""
    made = GUID(WIRE)
    with pytest.raises(AttributeError):
        made.bytes_le = bytes(16)  # type: ignore[misc]  # that is the point
    for twin in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):  # noqa: S301  # own pickle
        assert twin == made
        assert hash(twin) == hash(made)
    assert len({made, GUID.of(TEXT), NULL_GUID}) == 2


@pytest.mark.parametrize("raw", [b"abc", bytes(17), "a" * 16, None])
def test_repr_of_malformed(raw: Any) -> None:
    """What holds no sixteen bytes can still be shown, for an error that is about it."""
    assert repr(GUID(raw)) == f"GUID({raw!r})"
