"""Functions generated for a list of identifiers do what those for single values do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import property_values
from support_rows import for_each, table

from msmq_wire import GUID, DecodeError, EncodeError, mqdsrp
from msmq_wire.values.properties import lists as shapes
from msmq_wire.values.properties.values import (
    PropertyValue,
    add_values,
    identifiers_by_type,
    read_values,
    register_type,
    unregister_type,
    write_values,
)
from msmq_wire.values.reject import Reject

BY_TYPE = table(lambda: {vt: found[0] for vt, found in identifiers_by_type().items()})
"""One identifier of each type; the module `strategies` registers private ones for those without any."""
LISTS = st.lists(st.sampled_from(sorted(BY_TYPE())), max_size=8)


def quickly(values: tuple[PropertyValue, ...]) -> bytes:
    """The bytes of valid values, with the short ways for common types."""
    parts: list[bytes] = []
    add_values(values, parts)
    return b"".join(parts)


def verdict(function: Any, *args: Any) -> Any:
    """What a function returns, or that it refuses, and for what."""
    try:
        return function(*args)
    except Reject:
        return Reject
    except EncodeError as error:
        return error.problem, error.path, error.expected


@given(st.data())
def test_readers_and_writers(data: st.DataObject) -> None:
    """On values, on values cut short, and on values of other types."""
    types = data.draw(LISTS)
    identifiers = [BY_TYPE()[vt] for vt in types]
    values = tuple(data.draw(property_values(vt)) for vt in types)
    read = shapes.reader_of(types)
    raw = write_values(values)
    assert raw == quickly(values)
    whole = b"\xff" + raw + b"\xff"
    assert read(whole, 1, len(whole) - 1) == read_values(identifiers, whole, 1, len(whole) - 1)
    assert read(whole, 1, len(whole) - 1) == (values, len(whole) - 1)
    end = data.draw(st.integers(1, len(whole)))
    assert verdict(read, whole, 1, end) == verdict(read_values, identifiers, whole, 1, end)


ODD = ["a\0b", "", b"ab", bytearray(b"ab"), memoryview(b"ab"), 7, -1, 1 << 64, True, None, 1.5]
ODD += [(), (1,), [2], ["\0"], GUID(b"abc"), GUID(bytes(16)), object()]
ODD += [GUID("a" * 16), GUID(bytearray(16))]  # type: ignore[arg-type]  # on purpose


def _change(identifiers: tuple[int, ...], values: tuple[Any, ...]) -> mqdsrp.DirectoryChange:
    return mqdsrp.DirectoryChange(Command=1, PathName="a", PropertyID=identifiers, PropertyValue=values)


@for_each("vt", lambda: sorted(BY_TYPE()))
def test_records_have_only_valid_values(vt: int) -> None:
    """They refuse or convert all others, so their encoder need not check them."""
    for odd in ODD:
        try:
            change = _change((103, BY_TYPE()[vt]), (PropertyValue(31, "a"), PropertyValue(vt, odd)))
        except EncodeError:
            continue
        assert change.encode().endswith(write_values(change.PropertyValue))
        assert mqdsrp.DirectoryChange.decode(change.encode()) == change


def test_lists_that_come_often_have_readers() -> None:
    """And these read the same; a type that changes is noticed."""
    number = 0x7000_0100
    register_type(number, 19)
    try:
        change = _change((103, number), ("x", 5))
        raw = change.encode()
        for _ in range(2 * shapes.OFTEN):
            assert mqdsrp.DirectoryChange.decode(raw) == change
            assert change.encode() == raw
        key = raw[-16:-8]
        assert shapes.READERS[key][1] in shapes.READERS.readers
        register_type(number, 3)
        assert mqdsrp.DirectoryChange.decode(raw).PropertyValue[1] == PropertyValue(3, 5)
    finally:
        unregister_type(number)
    with pytest.raises(ValueError, match="expected a property identifier"):
        mqdsrp.DirectoryChange.decode(raw)


def test_memory_is_bounded() -> None:
    """Senders choose the lists; only so many are remembered, and only so many have readers."""
    shapes.READERS.forget()
    types = sorted(BY_TYPE())
    for first in types[:13]:
        for second in types[:13]:
            identifiers = (BY_TYPE()[first], BY_TYPE()[second])
            key = b"".join(item.to_bytes(4, "little") for item in identifiers)
            for _ in range(shapes.OFTEN + 1):
                assert shapes.READERS[key][0] == identifiers
                assert shapes.LIST_BYTES[identifiers] == key
                assert verdict(shapes.READERS[key][1], b"", 0, 0) == verdict(
                    read_values, identifiers, b"", 0, 0
                )
    assert len(shapes.READERS) <= shapes.REMEMBERED
    assert len(shapes.LIST_BYTES) <= shapes.REMEMBERED
    assert len(shapes.READERS.readers) == shapes.MADE
    long = (105,) * (shapes.LONGEST + 1)
    assert shapes.LIST_BYTES[long] == b"\x69\0\0\0" * len(long)
    assert long not in shapes.LIST_BYTES
    shapes.READERS.forget()
    assert not shapes.READERS


@pytest.mark.parametrize("whole", [False, True], ids=["a change", "a message"])
def test_an_error_is_about_the_types_with_which_bytes_were_refused(whole: bool) -> None:
    """Also if it is first read after another type was registered, with which they can be read."""
    number = 0x7000_0200
    register_type(number, 19)
    record: Any = _change((103, number), ("x", 5))
    record = mqdsrp.ChangePropagationMessage(DirectoryChanges=[record]) if whole else record
    decode, raw = mqdsrp.decode if whole else mqdsrp.DirectoryChange.decode, record.encode()
    unregister_type(number)
    errors = []
    for _ in range(2):
        with pytest.raises(DecodeError) as caught:
            decode(raw)
        errors.append(caught.value)
    at_once = str(errors[0])
    register_type(number, 19)
    try:
        assert decode(raw) == record
        assert str(errors[1]) == at_once
        assert errors[1].code is errors[0].code
    finally:
        unregister_type(number)
