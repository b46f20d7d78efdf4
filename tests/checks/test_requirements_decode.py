"""Requirements that reading sees to: what receivers disregard may hold anything, other breaches are refused.

1. For each row that tells receivers to disregard something, that thing is set to many values.  The packet is
   read back as it is, with everything else unchanged, and `validate` has at most something against the sender
   of that field.
2. For each row that reading enforces there are bytes that break it, and they are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import UNSHRUNK
from support_marks import proves
from support_rows import for_each, table
from support_specs import load_requirements

import msmq_wire as mw
from msmq_wire import DecodeError, PropertyValue, mqcn, mqdsrp, mqmq, validate
from msmq_wire import testing as mt
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.propid import by_name
from msmq_wire.records.model import Bytes, Flags, Guid, Integer
from msmq_wire.testing.bent.bases import BASES
from msmq_wire.testing.bent.records import bend
from msmq_wire.testing.strategies.directory import candidates
from msmq_wire.testing.strategies.packets import from_dice
from msmq_wire.values.guid import NULL_GUID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from support_specs import Requirement

    from msmq_wire.records.model import Field

DECODED = table(lambda: {row.id: row for row in load_requirements() if "decode" in row.checked})
DISREGARDED = table(
    lambda: {one: row for one, row in DECODED().items() if row.why.startswith("any value is read")}
)
PROPERTIES = table(
    lambda: {one: row for one, row in DISREGARDED().items() if row.subject.startswith("PROPID_")}
)
SKIPPED = "MQRR-2.2.5.5-04"  # the value that lets readers skip the header
WHOLE = table(lambda: {one: row for one, row in DISREGARDED().items() if row.subject in structures()})
FIELDS = table(
    lambda: {
        one: row
        for one, row in DISREGARDED().items()
        if one not in {**PROPERTIES(), **WHOLE(), SKIPPED: None}
    }
)
FEW = settings(UNSHRUNK, max_examples=3)


# ------------------------------------------------------------------------------------ what is disregarded


PLACES = {"SubqueueHeader.Reserved": "SubqueueHeader.Flags.Reserved"}  # one word with the bits before it (R3)


def _place(row: Requirement) -> tuple[Field, str, int | None]:
    """The field that a row is about, its path, and the bit where the layout has one group for several."""
    structure, *names = PLACES.get(row.subject, row.subject).split(".")
    field: Any = structures()[structure].by_name[names[0]]
    if len(names) == 1 or any(group.name == names[1] for group in field.kind.groups):
        return field, ".".join(names), None
    return field, names[0], int(names[1][1:])


def _values(field: Field, path: str, old: Any, bit: int | None) -> Iterator[Any]:
    """Values of a field, of a group of its bits, or with one bit changed."""
    kind = field.kind
    if bit is not None:
        yield int(old) ^ 1 << bit
    elif isinstance(kind, Flags) and "." in path:
        width = kind.group(path.partition(".")[2]).width
        yield from {0, 1, (1 << width) - 1}
    elif isinstance(kind, Integer):
        yield from (0, 1, kind.bounds[1])
    elif isinstance(kind, Bytes):
        yield from (bytes(len(old)), b"\xff" * len(old), bytes(range(len(old))))
    elif isinstance(kind, Guid):
        yield from (mw.GUID(b"\xee" * 16), mw.GUID(b"\x01" * 16))
    else:
        raise AssertionError(kind)


def _walk(record: Any, path: str) -> Any:
    for step in filter(None, path.split(".")):
        record = getattr(record, step)
    return record


def _read_again(record: Any) -> None:
    data = record.encode()
    assert type(record).decode(data) == record
    if record.layout.name in {"UserMessage", "EstablishConnection", "ConnectionParameters", "SessionAck"}:
        assert mw.decode(data) == record


@pytest.mark.requirement
@for_each("requirement", lambda: [proves(one) for one in FIELDS()])
def test_any_value_is_read(requirement: str) -> None:
    """Alone, or within a packet where the structure is a header."""
    row = FIELDS()[requirement]
    structure = row.subject.partition(".")[0]
    field, name, bit = _place(row)
    prefix, make = BASES.get(structure, ("", None))
    path = f"{prefix}.{name}" if prefix else name
    seen = 0

    @FEW
    @given(mt.valid(structure) if make is None else from_dice(make))
    def read(record: Any) -> None:
        nonlocal seen
        old = _walk(record, path)
        if old is None:
            return
        for value in _values(field, name, old, bit):
            other = bend(record, path, value)
            _read_again(other)
            found = validate(other)
            assert all(item.path == f"{record.layout.name}.{path}" for item in found), found
            seen += 1

    read()
    if not seen:  # the field is optional, and in none of the first examples
        record = mw.Record.class_of(structure)(**{name: NULL_GUID})
        for value in _values(field, name, NULL_GUID, bit):
            _read_again(bend(record, name, value))


HEADERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # What makes readers disregard a header, and what else to set in it.
    "SubqueueHeader": (
        {"SubqueueName": bytes(64)},
        {"TargetSubqueueName": b"t\0" * 31 + b"\0\0", "LastMoveTime": 9, "Flags": 0x0001FFFE},
    ),
    "ExtendedAddressHeader": ({"AddressType": 0}, {"Address": b"\xee" * 16, "AddressLength": 77}),
}


@pytest.mark.requirement
@for_each(
    "requirement",
    lambda: [proves(one, also=(SKIPPED,)) if "2.2.5.5" in one else proves(one) for one in WHOLE()],
)
def test_headers_that_are_disregarded(requirement: str) -> None:
    structure = WHOLE()[requirement].subject
    condition, others = HEADERS[structure]
    record = mt.valid(structure)

    @FEW
    @given(record)
    def read(header: Any) -> None:
        for changes in (condition, {**condition, **others}):
            other = header
            for name, value in changes.items():
                other = bend(other, name, value)
            _read_again(other)
            assert validate(other) == ()

    read()


@pytest.mark.requirement
@for_each("requirement", lambda: [proves(one) for one in PROPERTIES()])
def test_properties_without_a_meaning(requirement: str) -> None:
    known = by_name(PROPERTIES()[requirement].subject)
    assert known is not None

    @FEW
    @given(st.data())
    def read(data: st.DataObject) -> None:
        value = data.draw(st.sampled_from(candidates(known.vartype)[:2]))
        change = mqdsrp.DirectoryChange(
            GuidIdentifier=mw.GUID(b"\x11" * 16),
            PropertyID=(known.number,),
            PropertyValue=(PropertyValue(known.vartype, value),),
        )
        _read_again(change)
        assert validate(change) == ()

    read()


# ----------------------------------------------------------------------------------------- what is refused

_MESSAGE = mqmq.UserMessage(
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body")
).encode()


def _named(**forms: int) -> bytes:
    """A message whose flags select other forms of queue names than it has."""
    flags = mqmq.UserHeaderFlags(**forms)
    return mqmq.UserMessage(UserHeader=mqmq.UserHeader(Flags=flags)).encode()


_NOTIFICATION = mqcn.ChangeNotificationMessage(Version=2, Data=mqcn.NotificationBody.of(1, NULL_GUID, "dc"))
REFUSED: list[tuple[str, Callable[[bytes], object], bytes]] = [
    # MessageSize and ExtensionSize beyond the packet
    ("MQMQ-2.2.19.3-23", mw.decode, _MESSAGE[:96] + b"\xff\xff\xff\x7f" + _MESSAGE[100:]),
    ("MQMQ-2.2.19.3-34", mw.decode, _MESSAGE[:116] + b"\xff\xff\xff\x7f" + _MESSAGE[120:]),
    # a vector of one variant of type 0x7777
    ("MQMQ-2.2.13.1-01", lambda data: PropertyValue.decode(0x100C, data), b"\1\0\0\0\x77\x77\0\0"),
    # queue names of forms that no table has
    ("MQMQ-2.2.19.2-39", mw.decode, _named(DQ=1)),
    ("MQMQ-2.2.19.2-44", mw.decode, _named(AQ=4)),
    ("MQDSRP-2.2.6.1-01", mqdsrp.decode, bytes(17) + b"\x08" + bytes(24)),
    ("MQDSRP-2.1-02", mqdsrp.decode, mqdsrp.AlreadyPurgedMessage().encode() + b"\0"),
    ("MQCN-3.3.5.3-11", mqcn.decode, b"\0\2\1<"),
    ("MQCN-2.1-01", mqcn.decode, mqcn.encode(_NOTIFICATION)[:40]),
]


def test_every_row_is_read_or_refused() -> None:
    in_calls = {one for one, row in DECODED().items() if row.why.startswith("arguments of remote calls")}
    assert {*DISREGARDED(), *(row[0] for row in REFUSED)} | in_calls == set(DECODED())


@pytest.mark.requirement
@for_each(("requirement", "read", "data"), lambda: [proves(*row) for row in REFUSED])
def test_what_is_refused(requirement: str, read: Callable[[bytes], object], data: bytes) -> None:
    assert requirement in DECODED()
    with pytest.raises(DecodeError):
        read(data)
