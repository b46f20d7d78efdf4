"""Bytes that end too early or too late: which field is named, where, and what a lax reader keeps.

What is expected is worked out here from the whole record, whose values are known: its fields are laid one
after the other until one does not fit, or until a size or count states more than there is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ALONE, records
from support_parts import defaults
from support_rows import for_each, table
from support_specs import load_vectors

import msmq_wire
from msmq_wire import GUID, DecodeError, Record
from msmq_wire.records.model import EOF, LEFT, NUL, Bytes, Field, Items, Padding, Structure, Text
from msmq_wire.values.errors import in_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

# Parts are looked up by name throughout, so the types of the stubs are not asked.
mw: Any = msmq_wire
mqmq, mqqb, mqrr = mw.mqmq, mw.mqqb, mw.mqrr

QM = "557358d1-9150-9595-4997-b6e611ea26c6"
OTHER = "1f742305-be5e-4177-bc77-c4dd7719e474"


class Place(NamedTuple):
    """Where an error is expected; `expected` and `actual` only where a number of bytes does not fit."""

    path: str
    structure: str
    offset: int
    expected: int | None = None
    actual: int | None = None


class Stop(Exception):
    """The first field that cannot be read."""

    def __init__(self, *place: Any) -> None:
        self.place = Place(*place)
        super().__init__(self.place)


def size_of(field: Field, value: Any) -> int:
    """Bytes of one field that is no structure."""
    if isinstance(value, GUID):
        return 16
    if isinstance(value, str):
        end = 2 if isinstance(field.kind, Text) and field.kind.count == NUL else 0
        return len(value.encode("utf-16-le", "surrogatepass")) + end
    return len(value) if isinstance(value, bytes) else field.kind.size  # type: ignore[union-attr]  # a number, if no bytes


def gives_way(field: Field, structure: Structure) -> bool:
    """Whether a field takes no more than is there."""
    if isinstance(field.kind, Padding):
        return field.kind.alignment.cut_short
    return isinstance(field.kind, Bytes) and field.kind.count == EOF and structure.extent is None


def follow(  # one branch a kind of field
    record: Any, path: str, start: int, outer: int, *, patched: bool = False
) -> int:
    """Lay out a record whose bytes end at `outer`; the offset after it, or `Stop`.

    `patched` says that the record's own size was set to what is there.
    """
    structure = record.layout
    pos, limit = start, outer
    closed = structure.extent is None
    absent: set[str] = set()
    offsets: dict[str, int] = {}
    for field in structure.fields:
        value = getattr(record, field.name)
        offsets[field.name] = pos
        if field.outside and not closed:
            if pos != limit:
                raise Stop(path, structure.name, pos)
            limit, closed = outer, True
        head = field.present.path.partition(".")[0] if field.present else ""
        may_lack = field.present == LEFT or (field.outside and "." in path)  # erratum R14
        if value is None or head in absent or (may_lack and pos == limit):
            absent.add(field.name)
            continue
        inner = f"{path}.{field.name}"
        if isinstance(value, Record):
            pos = follow(value, inner, pos, limit)
        elif isinstance(field.kind, Items):
            least = field.kind.structure.least_size * len(value)
            if least > limit - pos:
                count = field.kind.count.number
                raise Stop(f"{path}.{count}", structure.name, offsets[count])
            for index, item in enumerate(value):
                pos = follow(item, f"{inner}[{index}]", pos, limit)
        else:
            size = size_of(field, value)
            if pos + size > limit:
                if not gives_way(field, structure):
                    counted = not (isinstance(field.kind, Text) and field.kind.count == NUL)
                    needs = (size, limit - pos) if counted else ()
                    raise Stop(inner, structure.name, pos, *needs)
                size = limit - pos
            pos += size
        if structure.extent and structure.extent.path.partition(".")[0] == field.name:
            limit = pos if patched and limit < pos else narrowed(record, path, start, outer, patched=patched)
    if not closed and pos != limit:
        raise Stop(path, structure.name, pos)
    return pos


def offset_of(record: Any, name: str) -> int:
    """Offset of a field in the fixed part of a structure."""
    total = 0
    for field in record.layout.fields:
        if field.name == name:
            return total
        total += field.kind.fixed_size
    raise AssertionError(name)


def narrowed(record: Any, path: str, start: int, outer: int, *, patched: bool) -> int:
    """Where a structure ends by its own size."""
    extent = record.layout.extent
    owner, _, name = extent.path.rpartition(".")
    holder = getattr(record, owner) if owner else record
    size = getattr(holder, name)
    end = outer if patched else start + -(-size // extent.multiple) * extent.multiple
    if end > outer:
        raise Stop(f"{path}.{extent.path}", owner or record.layout.name, start + offset_of(holder, name))
    return end


def place(record: Any, length: int, *, patched: bool = False) -> Place | None:
    """What is wrong with the first `length` bytes of a record, if anything."""
    name = type(record).__name__
    try:
        end = follow(record, name, 0, length, patched=patched)
    except Stop as stop:
        return stop.place
    return None if end == length else Place(name, name, end)


def check(error: DecodeError, expected: Place) -> None:
    """Structure, path, offset, and the numbers where bytes do not fit."""
    assert (error.path, error.structure, error.offset) == expected[:3]
    if expected.expected is not None:
        assert (error.expected, error.actual) == expected[3:]
        assert error.problem == f"expected {in_bytes(expected.expected)}, found {expected.actual}"


def check_cut(record: Any, data: bytes, length: int) -> None:
    """One prefix of a record, read by its class."""
    expected = place(record, length)
    if expected is None:
        assert type(record).decode(data[:length]).encode() == data[:length]
        return
    with pytest.raises(DecodeError) as caught:
        type(record).decode(data[:length])
    check(caught.value, expected)


# ------------------------------------------------------------------------------------------ rich packets


def element(name: str) -> Any:
    """An element of a list of names, from a short description."""
    kind, _, rest = name.partition(" ")
    forms = {
        "direct": lambda: mqmq.MQFDirectQueueFormatName(DirectFormatName=rest),
        "public": lambda: mqmq.PublicQueueFormatName(PublicQueueIdentifier=QM),
        "private": lambda: mqmq.PrivateQueueFormatName(SourceQueueManager=QM, PrivateQueueIdentifier=7),
        "list": lambda: mqmq.MQFDistributionQueueFormatName(DistributionListIdentifier=OTHER),
    }
    return mqmq.MQFFormatNameElement(FormatName=forms[kind]())


def addresses(*names: str) -> Any:
    """A list of names."""
    return mqmq.MQFAddressHeader(FormatNameList=[element(name) for name in names])


def direct(name: str) -> Any:
    """A direct name in a UserHeader."""
    return mqmq.DirectQueueFormatName(DirectFormatName=name)


def parts() -> dict[str, Any]:
    """One of each part of a UserMessage."""
    by_hand = {
        "BaseHeader": mqmq.BaseHeader(TimeToReachQueue=60),
        "UserHeader": mqmq.UserHeader(
            SourceQueueManager=QM,
            SentTime=1,
            MessageID=2,
            DestinationQueue=direct("OS:host\\private$\\q"),
            AdminQueue=mqmq.PrivateQueueFormatName(SourceQueueManager=OTHER, PrivateQueueIdentifier=9),
            ResponseQueue=direct("TCP:10.0.0.1\\q"),
            ConnectorType=OTHER,
        ),
        "TransactionHeader": mqmq.TransactionHeader(
            TxSequenceID=mqmq.TxSequenceID(Ordinal=1, TimeStamp=2), ConnectorQMGuid=QM
        ),
        "SecurityHeader": mqmq.SecurityHeader(
            SecurityData=mqmq.SecurityData(
                SecurityID=b"\x01" * 28,
                EncryptionKey=b"k" * 13,
                Signature=b"s" * 7,
                SenderCert=b"c" * 6,
                ProviderInfo=b"p" * 5,
            )
        ),
        "MessagePropertiesHeader": mqmq.MessagePropertiesHeader(
            Label="label", ExtensionData=b"ext", MessageBody=b"the body"
        ),
        "DebugHeader": mqmq.DebugHeader(QueueIdentifier=QM),
        "SRMPEnvelopeHeader": mqrr.SRMPEnvelopeHeader(Data="<env/>"),
        "CompoundMessageHeader": mqrr.CompoundMessageHeader(
            Data=b"POST / HTTP/1.1", MsgBodySize=4, MsgBodyOffset=2
        ),
        "SoapHeader": mqmq.SoapHeader(Header="<h/>", Body="<b/>"),
        "MultiQueueFormatHeader": mqmq.MultiQueueFormatHeader(
            Destination=addresses("direct OS:a\\q", "public", "direct b", "private", "direct c", "list"),
            Administration=addresses("direct HTTP://x/msmq/q"),
            Response=addresses(),
            Signature=mqmq.MQFSignatureHeader(Signature=b"sign."),
        ),
        "ExtensionHeader": mqrr.ExtensionHeader(),
        "SubqueueHeader": mqrr.SubqueueHeader(),
        "DeadLetterHeader": mqrr.DeadLetterHeader(DeadLetterPathName="DIRECT=OS:.\\dead"),
        "ExtendedAddressHeader": mqrr.ExtendedAddressHeader(AddressLength=4, AddressType=1),
        "SessionHeader": mqmq.SessionHeader(AckSequenceNumber=3),
    }
    return defaults("UserMessage") | by_hand


LAST_FOUR = ("ExtensionHeader", "SubqueueHeader", "DeadLetterHeader", "ExtendedAddressHeader")


def without(*names: str) -> dict[str, Any]:
    """All parts but these."""
    return {name: part for name, part in parts().items() if name not in names}


@cache
def rich() -> dict[str, Any]:
    """Packets that between them have every part, in and after every place."""
    whole = parts()
    plain = mqmq.UserMessage(**without(*LAST_FOUR))
    return {
        "everything": mqmq.UserMessage(**whole),
        "no session header": mqmq.UserMessage(**without("SessionHeader")),
        "sent": mqmq.UserMessage(
            **without("SRMPEnvelopeHeader", "CompoundMessageHeader", *LAST_FOUR, "SessionHeader")
        ),
        "acknowledging": mqmq.UserMessage(
            MessagePropertiesHeader=whole["MessagePropertiesHeader"], SessionHeader=whole["SessionHeader"]
        ),
        "nothing": mqmq.UserMessage(),
        "soap": mqmq.UserMessage(SoapHeader=whole["SoapHeader"]),
        "lists": mqmq.UserMessage(MultiQueueFormatHeader=whole["MultiQueueFormatHeader"]),
        "read remotely": mqrr.MessagePacket(UserMessage=plain, **{name: whole[name] for name in LAST_FOUR}),
        "read remotely, old": mqrr.MessagePacket(UserMessage=plain),
        "order": mqqb.OrderAck(
            UserHeader=mqmq.UserHeader(
                DestinationQueue=mqmq.PrivateQueueFormatNameId(PrivateQueueIdentifier=4)
            ),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
                Label="QM Ordering Ack", MessageClass=0xFF, MessageBody=mqqb.OrderAckBody().encode()
            ),
        ),
        "establish": mqqb.EstablishConnection(),
        "parameters": mqqb.ConnectionParameters(),
        "session": mqqb.SessionAck(),
        "ping": mqqb.PingPacket(QMGuid=QM),
    }


RICH = tuple(rich())
VECTORS = table(lambda: {vector.name: vector for vector in load_vectors()})
WHOLE = table(lambda: [name for name, vector in VECTORS().items() if not vector.truncated])


def known(name: str) -> tuple[Any, bytes]:
    """A record and its bytes, by the name of a vector or of a rich packet."""
    if name in VECTORS():
        vector = VECTORS()[name]
        return Record.class_of(vector.packet).decode(vector.data), vector.data
    record = rich()[name]
    return record, record.encode()


def test_rich_packets() -> None:
    """The packets below are what their names say; every part occurs."""
    everything = rich()["everything"]
    for field in everything.layout.fields:
        assert getattr(everything, field.name) is not None, field.name
    for record in rich().values():
        assert type(record).decode(record.encode()) == record
        assert place(record, len(record.encode())) is None


@pytest.mark.each(2)
@for_each("name", lambda: [*WHOLE(), *RICH])
def test_every_prefix(name: str) -> None:
    """Each prefix is refused, by the field that does not fit or the size that says too much."""
    record, data = known(name)
    allowed = {len(data)}
    if isinstance(
        record, mqrr.MessagePacket
    ):  # of which the message is one too, as is one without its SessionHeader
        allowed |= {record.UserMessage.BaseHeader.PacketSize + size for size in (0, 16)}
    for length in range(len(data)):
        if length not in allowed:
            assert place(record, length) is not None, length
        check_cut(record, data, length)


@pytest.mark.long
@for_each("name", lambda: [*WHOLE(), *RICH])
def test_every_prefix_of_packets(name: str) -> None:
    """`decode` says the same; before it knows the kind of packet its paths start at the header."""
    record, data = known(name)
    kind = type(record).__name__
    if kind in {"PingPacket", "MessagePacket"}:
        return
    internal = kind in {"SessionAck", "EstablishConnection", "ConnectionParameters"}
    for length in range(len(data)):
        expected = place(record, length)
        assert expected is not None
        with pytest.raises(DecodeError) as caught:
            mw.decode(data[:length])
        error = caught.value
        lax = mw.decode_lax(data[:length])
        assert lax.packet is None
        assert str(lax.error) == str(error)
        assert (data[:length]).endswith(lax.rest)
        if length < (20 if internal else 8):
            tail = expected.path.partition(".BaseHeader.")[2]
            roots = {"BaseHeader", "InternalHeader", kind, f"{kind}.BaseHeader"}
            assert error.path.rpartition(".")[0] in roots
            assert error.path.endswith(tail) or length >= 16
            assert error.offset in {expected.offset, 16, 18}
        else:
            message = expected._replace(path=expected.path.replace("OrderAck", "UserMessage"))
            check(error, message)


@pytest.mark.each(4)
@for_each("name", lambda: RICH)
def test_every_prefix_with_its_size(name: str) -> None:
    """The same with the size set right each time, so that it is the fields inside that do not fit."""
    record, data = known(name)
    kind = type(record).__name__
    if kind in {"PingPacket", "MessagePacket"}:
        return
    session = b""
    if kind == "UserMessage" and record.SessionHeader is not None:
        session = record.SessionHeader.encode()
        data = data[:-16]
    for length in range(16, len(data)):
        cut = data[:8] + length.to_bytes(4, "little") + data[12:length]
        expected = place_inside(record, length)
        if expected is None:
            assert type(record).decode(cut + session).encode() == cut + session
            continue
        with pytest.raises(DecodeError) as caught:
            type(record).decode(cut + session)
        error = caught.value
        if error.path.rpartition(".")[0].endswith(".Flags"):  # exactly this flag is wrong
            assert any(decodes(record, changed + session) for changed in with_other_bits(cut, error.offset))
            continue
        if expected.path.endswith(".ExtensionHeader.HeaderSize"):  # too few bytes to be this header
            assert (error.path, error.offset) == (kind, expected.offset)
            continue
        check(error, expected)
        if expected.expected is not None:
            assert error.limit == "BaseHeader.PacketSize"


def with_other_bits(data: bytes, offset: int) -> Iterator[bytes]:
    """The bytes with each bit of a word changed."""
    for bit in range(32):
        changed = bytearray(data)
        changed[offset + bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def decodes(record: Any, data: bytes) -> bool:
    try:
        return bool(type(record).decode(data))
    except DecodeError:
        return False


def place_inside(record: Any, length: int) -> Place | None:
    """What is wrong with the first bytes of a packet whose size says `length`."""
    name = type(record).__name__
    fields = [field for field in record.layout.fields if not field.outside]
    pos = 0
    absent: set[str] = set()
    try:
        for field in fields:
            value = getattr(record, field.name)
            head = field.present.path.partition(".")[0] if field.present else ""
            if value is None or head in absent or (field.present == LEFT and pos == length):
                absent.add(field.name)
                continue
            pos = follow(value, f"{name}.{field.name}", pos, length)
    except Stop as stop:
        return stop.place
    return None if pos == length else Place(name, name, pos)


@for_each("name", lambda: ALONE)
@given(data=st.data())
def test_any_prefix(name: str, data: st.DataObject) -> None:
    """A prefix of any record is refused at the place that its values tell."""
    record = data.draw(records(name))
    raw = record.encode()
    check_cut(record, raw, data.draw(st.integers(0, len(raw))))


# --------------------------------------------------------------------------------------------- trailing


@pytest.mark.parametrize("rest", [b"\0", b"LIOR", bytes(15), b"\x10" * 100], ids=len)
@for_each("name", lambda: [*WHOLE(), *RICH])
def test_trailing_bytes(name: str, rest: bytes) -> None:
    """What follows is refused by `decode` and handed back by `decode_lax`."""
    record, data = known(name)
    kind = type(record).__name__
    open_end = kind == "MessagePacket" and record.ExtensionHeader is None
    if not open_end:
        with pytest.raises(DecodeError) as caught:
            type(record).decode(data + rest)
        error = caught.value
        assert error.problem == f"{in_bytes(len(rest))} left over"
        assert (error.structure, error.path, error.offset) == (kind, kind, len(data))
        assert (error.expected, error.actual, error.limit) == (0, len(rest), "buffer")
    if kind in {"PingPacket", "MessagePacket"}:
        return
    with pytest.raises(DecodeError) as caught:
        mw.decode(data + rest)
    read_as = "UserMessage" if kind == "OrderAck" else kind
    assert (caught.value.path, caught.value.offset) == (read_as, len(data))
    lax = mw.decode_lax(data + rest)
    assert (lax.packet, lax.error, lax.rest) == (record, None, rest)


def test_packets_in_a_row() -> None:
    """A lax reader takes one packet after the other."""
    packets = [
        record for record in rich().values() if type(record).__name__ not in {"PingPacket", "MessagePacket"}
    ]
    rest = b"".join(record.encode() for record in packets)
    found = []
    while rest:
        lax = mw.decode_lax(rest)
        assert lax.error is None
        found.append(lax.packet)
        rest = lax.rest
    assert found == packets


@for_each("name", lambda: [name for name in RICH if type(rich()[name]).__name__ == "UserMessage"])
def test_lax_headers(name: str) -> None:
    """Every header that lies wholly before the cut is there."""
    record, data = known(name)
    for length in range(len(data)):
        lax = mw.decode_lax(data[:length])
        end = 0
        expected = {}
        for field in record.layout.fields:
            part = getattr(record, field.name)
            if part is None:
                continue
            end += len(part.encode())
            if end > length:
                break
            expected[field.name] = part
        if length < 16:
            assert lax.headers == {}
            continue
        if record.SessionHeader is not None and length >= len(data) - 16:
            continue
        kept = {key: value for key, value in lax.headers.items() if key in expected}
        assert kept == expected
        assert set(lax.headers) - set(expected) <= {
            "SoapHeader",
            "MultiQueueFormatHeader",
            "DeadLetterHeader",
        }
        assert lax.rest == data[sum(len(part.encode()) for part in lax.headers.values()) : length]


@pytest.mark.parametrize("missing", range(1, 16))
def test_lax_headers_before_cut_session_header(missing: int) -> None:
    """A cut within the header that rides along takes no other header with it."""
    _, data = known("acknowledging")
    lax = mw.decode_lax(data[:-missing])
    assert list(lax.headers) == ["BaseHeader", "UserHeader", "MessagePropertiesHeader"]
    assert lax.error is not None
    assert lax.error.path.startswith("UserMessage.SessionHeader")
    assert lax.rest == data[-16:-missing]
