"""Hostile input costs little: refusing costs about what reading costs, and memory follows the input.

Work is counted in events of the interpreter, never in seconds.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from support_examples import share
from support_hostile import events, peak
from support_rows import for_each, table

import msmq_wire as mw
from msmq_wire import DecodeError, PropertyValue, mqdsrp, mqmq
from msmq_wire.documents import user_message
from msmq_wire.documents.propid import VARTYPE
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.properties.values import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PARTS: Any = mqmq
MESSAGES: Any = mqdsrp
QUEUE = "OS:a\\b"
"""The shortest direct name."""
SIZE = share(200_000, 50_000)
"""Bytes of a message of changes."""


def queues(count: int, name: str = QUEUE) -> bytes:
    """A packet for that many queues."""
    element = PARTS.MQFFormatNameElement(FormatName=PARTS.MQFDirectQueueFormatName(name))
    header = PARTS.MultiQueueFormatHeader(
        Destination=PARTS.MQFAddressHeader(FormatNameList=[element] * count)
    )
    packet: bytes = PARTS.UserMessage(MultiQueueFormatHeader=header).encode()
    return packet


def changes(count: int, properties: int = 0) -> bytes:
    one = MESSAGES.DirectoryChange(
        PathName="a", PropertyID=[104] * properties, PropertyValue=[1] * properties
    )
    return mqdsrp.encode(MESSAGES.ChangePropagationMessage(DirectoryChanges=[one] * count))


def certificates(count: int) -> bytes:
    made: bytes = PARTS.MQUSERSIGNCERTS(Certificates=[PARTS.MQUSERSIGNCERT()] * count).encode()
    return made


def at_the_end(data: bytes) -> bytes:
    """The same with its last deciding number broken: only whoever has read everything else can see it."""
    return data[:-20] + b"\xff" * 20


def value(vt: int) -> Callable[[bytes], Any]:
    return lambda data: PropertyValue.decode(vt | VARTYPE.VT_VECTOR, data)


READERS: dict[str, tuple[Callable[[bytes], Any], Callable[[int], bytes]]] = {
    "queues": (mw.decode, queues),
    "changes": (mqdsrp.decode, changes),
    "properties": (mqdsrp.decode, lambda count: changes(count // 20, 255)),
    "certificates": (mqmq.MQUSERSIGNCERTS.decode, certificates),
}


@for_each("name", lambda: READERS)
def test_refusing_costs_what_reading_costs(name: str) -> None:
    read, make = READERS[name]
    data = make(800)
    with pytest.raises(DecodeError):
        read(at_the_end(data))
    assert events(read, at_the_end(data)) < 20 * events(read, data)


def vector(element: bytes, count: int) -> bytes:
    return struct.pack("<I", count) + element * count


def different(form: str, count: int, head: bytes = b"") -> bytes:
    """A vector of that many elements, each with a number of its own in it."""
    made = (head + struct.pack(form, number % 0x6000 + 0x4E00) for number in range(count))
    return struct.pack("<I", count) + b"".join(made)


def alike(identifier: int, raw: bytes, name: str = "a") -> bytes:
    """A message of changes full of one property of that value."""
    kept = PropertyValue.decode(type_of(identifier) or 0, raw)
    one = MESSAGES.DirectoryChange(PathName=name, PropertyID=[identifier] * 255, PropertyValue=[kept] * 255)
    count = SIZE // len(one.encode())
    return mqdsrp.encode(MESSAGES.ChangePropagationMessage(DirectoryChanges=[one] * count))


def three_lists(name: str, count: int = DEFAULT_LIMITS.queues) -> bytes:
    """A packet with as many names as are taken, in all the lists that a packet has."""
    element = PARTS.MQFFormatNameElement(FormatName=PARTS.MQFDirectQueueFormatName(name))
    header = PARTS.MQFAddressHeader(FormatNameList=[element] * count)
    lists = PARTS.MultiQueueFormatHeader(Destination=header, Administration=header, Response=header)
    packet: bytes = PARTS.UserMessage(MultiQueueFormatHeader=lists).encode()
    return packet


def many_queues(data: bytes) -> Any:
    return mw.decode(data, limits=mw.Limits(queues=1 << 20))


def explain_changes(data: bytes) -> str:
    return mw.explain(data, "ChangePropagationMessage")


def explain_certificates(data: bytes) -> str:
    return mw.explain(data, "MQUSERSIGNCERTS")


WIDE = "\u4e00"
"""A character whose text takes 76 bytes."""
MESSAGES_OF: dict[str, Callable[[], bytes]] = {
    "changes": lambda: changes(SIZE // 200),
    "properties": lambda: changes(SIZE // 1333, 255),
    "properties of a byte": lambda: alike(311, b"\7"),
    "properties of a word": lambda: alike(305, b"\0\x40"),
    "properties of a wide text": lambda: alike(301, f"{WIDE}\0".encode("utf-16-le")),
    "properties of two wide characters": lambda: alike(301, f"{WIDE}{WIDE}\0".encode("utf-16-le")),
    "properties of a text": lambda: alike(301, "ab\0".encode("utf-16-le")),
    "properties of texts": lambda: alike(807, b"\1\0\0\0" + f"{WIDE}\0".encode("utf-16-le")),
    "properties of four bytes": lambda: alike(1103, b"\0\0\1\0"),
}


def memory() -> Iterator[tuple[Callable[[bytes], Any], bytes]]:
    """Readers, and bytes that look as if they took much."""
    yield from (
        (many_queues, queues(8_000)),
        (many_queues, at_the_end(queues(8_000))),
        (mqmq.MQUSERSIGNCERTS.decode, certificates(4_000)),
        (explain_certificates, certificates(4_000)),
        (explain_certificates, at_the_end(certificates(4_000))),
        (value(VARTYPE.VT_I1), vector(b"\x90", 200_000)),
        (value(VARTYPE.VT_UI2), different("<H", 100_000)),
        (value(VARTYPE.VT_UI4), vector(b"\x90" * 4, 50_000)),
        (value(VARTYPE.VT_LPWSTR), vector(b"\0\0", 100_000)),
        (value(VARTYPE.VT_LPWSTR), different("<Hxx", 50_000)),
        (value(VARTYPE.VT_CLSID), vector(b"\x90" * 16, 12_500)),
        (value(VARTYPE.VT_BLOB), vector(bytes(4), 50_000)),
        (value(VARTYPE.VT_VARIANT), vector(b"\x10\x10\0\0\0\0", 40_000)),
        (value(VARTYPE.VT_VARIANT), vector(b"\0\0", 100_000)),
        (value(VARTYPE.VT_VARIANT), vector(b"\x11\0\x90", 60_000)),
        (value(VARTYPE.VT_VARIANT), different("<H", 50_000, b"\x12\0")),
    )
    for make in MESSAGES_OF.values():
        data = make()
        yield from ((mqdsrp.decode, data), (mqdsrp.decode, at_the_end(data)))
        yield from ((mqdsrp.decode_lax, at_the_end(data)), (explain_changes, data))
        yield explain_changes, at_the_end(data)


def explain_all_changes(data: bytes) -> str:
    return mw.explain(data, "ChangePropagationMessage", max_elements=1 << 30)


def explain_all_certificates(data: bytes) -> str:
    return mw.explain(data, "MQUSERSIGNCERTS", max_elements=1 << 30)


def explain_all(data: bytes) -> str:
    return mw.explain(data, max_elements=1 << 30)


LISTINGS: Callable[[], list[tuple[Callable[[bytes], str], bytes]]] = table(
    lambda: [
        *((explain_all_changes, make()) for make in MESSAGES_OF.values()),
        (explain_all_certificates, certificates(4_000)),
        *((explain_all, three_lists(name)) for name in ("", "x", WIDE, QUEUE)),
    ]
)


def names() -> Iterator[tuple[Callable[[bytes], Any], bytes]]:
    """Readers, and packets with as many names as are taken, empty, short, wide and valid ones."""
    for name in ("", "x", WIDE, QUEUE):
        data = three_lists(name)
        for read in (mw.decode, mw.decode_lax, mw.explain):
            yield from ((read, data), (read, at_the_end(data)))


@pytest.fixture(scope="module")
def _little() -> None:
    """See `peak`."""
    few: list[tuple[bytes, list[Callable[[bytes], Any]]]] = [
        (three_lists("x", 9), [mw.decode, mw.decode_lax, mw.explain]),
        (changes(9, 9), [mqdsrp.decode, mqdsrp.decode_lax, explain_changes]),
        (certificates(9), [mqmq.MQUSERSIGNCERTS.decode, explain_certificates]),
        (vector(b"\x10\x10\0\0\0\0", 9), [value(VARTYPE.VT_VARIANT)]),
    ]
    for data, readers in few:
        for read in readers:
            events(read, data)
            events(read, at_the_end(data))


@pytest.mark.long
@pytest.mark.usefixtures("_little")
@for_each(("read", "data"), memory)
def test_memory_is_bounded_by_the_input(read: Callable[[bytes], Any], data: bytes) -> None:
    """At most ten times the input and little else."""
    assert peak(read, data) < 10 * len(data) + (1 << 19)


@pytest.mark.each(11)
@pytest.mark.usefixtures("_little")
@for_each(
    ("read", "data", "broken"), lambda: [(*row, broken) for row in LISTINGS() for broken in (False, True)]
)
def test_memory_of_a_listing_is_bounded(read: Callable[[bytes], str], data: bytes, broken: bool) -> None:
    """Ten times the input and a megabyte, however many elements are asked for; what is left out is told."""
    data = at_the_end(data) if broken else data
    assert peak(read, data) < 10 * len(data) + (1 << 20)
    assert " more" in read(data)


@pytest.mark.each(6)
@pytest.mark.usefixtures("_little")
@for_each(("read", "data"), names)
def test_memory_for_names_is_bounded_by_a_limit(read: Callable[[bytes], Any], data: bytes) -> None:
    """At most ten times the input and a megabyte, however short the names are."""
    assert peak(read, data) < 10 * len(data) + (1 << 20)


FIELDS: Callable[[], list[tuple[Callable[..., Any], bytes]]] = table(
    lambda: [
        *((mw.decode_lax, three_lists(name)) for name in ("", "x")),
        *((mqdsrp.decode_lax, make()) for make in MESSAGES_OF.values()),
    ]
)


@pytest.mark.each(29)
@pytest.mark.usefixtures("_little")
@for_each(
    ("read", "data", "broken"),
    lambda: [(*row, broken) for row in FIELDS() for broken in ("whole", "broken", "cut")],
)
def test_memory_of_fields_is_bounded_by_a_limit(read: Callable[..., Any], data: bytes, broken: str) -> None:
    """Ten times the input and what as many fields take as the limit says; what is left out is counted."""
    data = {"whole": data, "broken": at_the_end(data), "cut": data[:-1]}[broken]

    def fields(raw: bytes) -> Any:
        return read(raw).fields

    assert peak(fields, data) < 10 * len(data) + (6 << 20)
    result = read(data)
    count = len({**result.fields, **result.doubtful})
    assert count <= DEFAULT_LIMITS.lax_fields + 300
    if result.packet is None:  # of which the reader lists the fields, and not the record
        whole = read(data, limits=mw.Limits(lax_fields=1 << 30))
        assert whole.left_out == 0
        assert mw.to_dict(result).get("$left_out", 0) == result.left_out
        assert (result.left_out > 0) == (count < len({**whole.fields, **whole.doubtful}))
        assert list(whole.fields.items())[: count // 2] == list(result.fields.items())[: count // 2]


def test_more_queues_than_anybody_names_are_refused() -> None:
    """Four to six bytes a name: a record is larger than that, so a limit is what bounds it."""
    data = queues(60_000, "x")
    with pytest.raises(DecodeError, match="queues: expected at most 3000, found 60000") as caught:
        mw.decode(data)
    assert caught.value.limit == "Limits.queues"
    assert peak(mw.decode, data) < 1 << 18
    assert len(many_queues(data).MultiQueueFormatHeader.Destination.FormatNameList) == 60_000


@pytest.mark.long
@pytest.mark.usefixtures("_little")
def test_memory_for_changes_is_bounded_by_a_limit() -> None:
    """As many changes as are taken, each of one wide character and a property of another."""
    one = MESSAGES.DirectoryChange(PathName=WIDE, PropertyID=[301], PropertyValue=[WIDE])

    def message(count: int) -> bytes:
        return mqdsrp.encode(MESSAGES.SyncReplyMessage(DirectoryChanges=[one] * count))

    most = message(DEFAULT_LIMITS.changes)
    assert peak(mqdsrp.decode, most) < 10 * len(most) + (1 << 20)
    with pytest.raises(DecodeError, match="changes: expected at most 40000, found 40001") as caught:
        mqdsrp.decode(message(DEFAULT_LIMITS.changes + 1))
    assert caught.value.limit == "Limits.changes"


def test_explaining_passes_over_elements_that_are_not_shown() -> None:
    lines = mw.explain(queues(2_500)[:-2] + b"\xff\xff\xff").splitlines()
    assert any("FormatNameList[9]" in line for line in lines)
    assert any("... 2,4" in line for line in lines)
    assert len(lines) < 150


@pytest.mark.parametrize("field", ["MessageSize", "ExtensionSize"])
def test_sizes_in_a_python_of_32_bits(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There, `struct` raises OverflowError for places of 2 GiB and beyond, as the page in a browser shows."""

    def narrow(unpack: Callable[..., Any]) -> Callable[..., Any]:
        def unpacked(data: bytes, at: int = 0) -> Any:
            if at >= 1 << 31:
                raise OverflowError("Python int too large to convert to C ssize_t")
            return unpack(data, at)

        return unpacked

    for name, unpack in vars(user_message).copy().items():
        if name.startswith("unpack_"):
            monkeypatch.setattr(user_message, name, narrow(unpack))
    packet = PARTS.UserMessage.of(MessageBody=b"a")
    data = mw.replace(packet, {f"MessagePropertiesHeader.{field}": 0xFFFF_FFFF}).encode()
    with pytest.raises(DecodeError):
        mw.decode(data)
    assert mw.decode_lax(data).errors
    assert f"{field}  " in mw.explain(data)
