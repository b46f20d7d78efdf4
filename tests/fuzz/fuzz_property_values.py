"""Any bytes are a value of the type that they are said to be and encode to the same bytes, or are refused."""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

from harness import accident, instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire import PropertyValue, mqdsrp, mqmq
    from msmq_wire.values.properties import values as property_values
    from msmq_wire.values.properties.values import READERS

MODULES = (
    "values.properties.values",
    "values.properties.forms",
    "values.properties.natural",
    "values.properties.types",
)
KIND = None
HEAD = 1
"""So many bytes choose the type; the value is after them."""
TYPES = (*sorted(READERS), 0x9999)
_PRIVATE = 0x7FFF0000
_SMALL = mw.Limits(elements=3, string_length=5)
_CHANGE = mqdsrp.DirectoryChange(PathName="").encode()[:-1] + b"\1"
"""A change up to the identifier of its one property."""


def check(data: bytes) -> None:
    if not data:
        return
    vt, raw = TYPES[data[0] % len(TYPES)], data[HEAD:]
    _of_any_object(vt, raw)
    _registered(vt, raw)
    try:
        value = PropertyValue.decode(vt, raw)
    except mw.DecodeError as error:
        placed(error, raw)
        return
    assert value.vt == vt
    assert value.encode() == raw
    same = PropertyValue(vt, value.value)
    assert value == same
    assert not value != same  # noqa: SIM202  # each has a method of its own
    assert value != value.natural
    assert hash(value) == hash(same)
    assert repr(value) == repr(same)
    assert copy.deepcopy(value) == same
    _limited(vt, raw, value)
    try:
        PropertyValue.of(TYPES[len(raw) % len(TYPES)], value.natural)
    except mw.EncodeError as error:
        accident(error)  # it is of another type
    try:
        again = PropertyValue.of(vt, value.natural)
    except mw.EncodeError as error:
        accident(error)  # a VT_BOOL of another pattern than its two is no bool
    else:
        assert again.natural == value.natural


def _limited(vt: int, raw: bytes, value: PropertyValue) -> None:
    """Limits refuse it or change nothing."""
    try:
        again = PropertyValue.decode(vt, raw, limits=_SMALL)
    except mw.DecodeError as error:
        placed(error, raw)
        assert error.limit in {"Limits.elements", "Limits.string_length"}
    else:
        assert again == value


def _of_any_object(vt: int, raw: bytes) -> None:
    """Whatever a program has is a value of the type that reads back, or is refused."""
    thing = _thing(iter(raw), 0)
    for make in (PropertyValue.of, _unchecked):
        try:
            value = make(vt, thing)
            wire = value.encode()
        except mw.EncodeError as error:
            accident(error)
            assert len(str(error)) < 2000
        else:
            assert PropertyValue.decode(vt, wire).encode() == wire


def _unchecked(vt: int, thing: Any) -> PropertyValue:
    return PropertyValue(vt, thing)


def _thing(rest: Any, depth: int) -> Any:
    """Something that a program could mean as a value, out of any bytes."""
    choice, number = next(rest, 0), next(rest, 0)
    match choice % 16 if depth < property_values.MAX_DEPTH + 2 else choice % 12:
        case 0:
            return number << choice
        case 1:
            return -number
        case 2:
            return bool(number & 1)
        case 3:
            return "".join(chr((next(rest, 0) << choice // 16) % 0x110000) for _ in range(number % 8))
        case 4:
            return ("\ud83d\ude00", "\U0001f600", "\ud83d", "a\0b", "60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e")[
                number % 5
            ]
        case 5:
            kind = (bytes, bytearray, memoryview)[choice // 16 % 3]
            return kind(bytes(next(rest, 0) for _ in range(number % 20)))
        case 6:
            return dt.datetime(1900 + number, 1, 1, tzinfo=dt.UTC if choice & 16 else None)
        case 7:
            return mw.SEQUENCE_NUMBER(bytes([number]) * 8)
        case 8:
            address: Any = mqmq.TA_ADDRESS
            one = address(AddressType=1, Address=bytes([number]) * 4)
            return one if choice & 16 else [one] * (number % 3)
        case 9:
            return mw.GUID(bytes([number]) * 16)
        case 10:
            return None
        case 11:
            return 1.5
        case 12:
            return PropertyValue(TYPES[number % len(TYPES)], _thing(rest, depth + 1))
        case 13:
            return [PropertyValue(0x100C, (_thing(rest, depth + 1),))]
        case _:
            return [_thing(rest, depth + 1) for _ in range(number % 6)]


def _registered(vt: int, raw: bytes) -> None:
    """A private identifier has the type that it was given until it is forgotten; no other ever changes."""
    identifier = _PRIVATE if len(raw) % 2 else int.from_bytes(raw[:1], "little")
    before = property_values.type_of(identifier)
    try:
        property_values.register_type(identifier, vt)
    except mw.MsmqWireError:
        assert property_values.type_of(identifier) == before
        assert before is not None or vt not in READERS
        return
    assert property_values.type_of(identifier) == vt
    assert identifier in property_values.identifiers_by_type()[vt]
    _in_a_change(identifier, vt, raw)
    property_values.unregister_type(identifier)
    assert property_values.type_of(identifier) == before


def _in_a_change(identifier: int, vt: int, raw: bytes) -> None:
    """Within a change, one value is what it is alone; limits refuse it or change nothing."""
    data = _CHANGE + identifier.to_bytes(4, "little") + raw
    try:
        value = PropertyValue.decode(vt, raw)
        change = mqdsrp.DirectoryChange.decode(data)
    except mw.DecodeError:
        return
    assert change.PropertyValue == (value,)
    assert change.encode() == data
    try:
        again = mqdsrp.DirectoryChange.decode(data, limits=_SMALL)
    except mw.DecodeError as error:
        placed(error, data)
    else:
        assert again == change


if __name__ == "__main__":
    main(__name__)
