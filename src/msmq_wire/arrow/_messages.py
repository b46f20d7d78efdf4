"""Interprets UserMessages as columns: applies the readings of their headers to header columns.

1. Nothing is decoded twice: the headers are columns, and only the required ones are read.
2. A reading is computed once for all rows with equal fields, because queue names, classes, labels and senders
   repeat from message to message.  Queue names are also cached between batches.
3. The comment of a column says what null means; `problems` lists what could not be interpreted.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.directory_properties import body_value
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.readings import READINGS
from msmq_wire.packets.carriers import carries
from msmq_wire.records.model import Choice, Guid
from msmq_wire.records.record import record_class
from msmq_wire.values.body_types import BODY_TYPES
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.guid import GUID

from ._schema import TIME, Style, packet_tree, result_type, schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

__all__ = ["FIELDS", "MESSAGE", "MESSAGE_TYPE", "Distinct", "fields_of", "messages_of", "readings"]

_USER: Final = structures()["UserHeader"]
_QUEUES: Final = {
    "destination": "DestinationQueue",
    "admin_queue": "AdminQueue",
    "response_queue": "ResponseQueue",
}
_SELECTORS: Final = {
    name: kind.selector for name in _QUEUES.values() if isinstance(kind := _USER.by_name[name].kind, Choice)
}

_READINGS: Final = (
    ("message", pa.string(), "UserHeader.message_identifier", ""),
    ("sent_at", TIME, "UserHeader.sent_at", ""),
    (
        "destination", pa.string(), "UserHeader.destination",
        "null if several queues receive it (see `destinations`), if none, or if `problems` gives a reason",
    ),
    ("admin_queue", pa.string(), "UserHeader.admin_queue", "null if none, or if `problems` gives a reason"),
    (
        "response_queue", pa.string(), "UserHeader.response_queue",
        "null if none, or if `problems` gives a reason",
    ),
    ("message_class", pa.string(), "MessagePropertiesHeader.message_class", ""),
    ("label", pa.string(), "MessagePropertiesHeader.label", "without its terminator"),
    (
        "correlation", pa.string(), "MessagePropertiesHeader.correlation_identifier",
        "null if it is zero: the message is not an answer",
    ),
    ("time_to_reach_queue", pa.int64(), "BaseHeader.time_to_reach_queue", "in seconds; null if unlimited"),
    ("time_to_be_received", pa.int64(), "UserHeader.time_to_be_received", "in seconds; null if unlimited"),
    ("priority", pa.int64(), "BaseHeader.Flags.PR", ""),
    ("recoverable", pa.bool_(), "UserHeader.Flags.DM", ""),
    ("transactional", pa.bool_(), "is_transactional", ""),
    ("sender", pa.string(), "SecurityHeader.sender", "null if the message does not name its sender"),
    ("body_type", pa.int64(), "MessagePropertiesHeader.BodyType", ""),
    ("application_tag", pa.int64(), "MessagePropertiesHeader.ApplicationTag", ""),
    ("body", pa.binary(), "body", ""),
    ("text", pa.string(), "typed_body", "without terminators; null if `body_form` is not a form of text"),
)  # fmt: skip


def _comment(path: str, more: str) -> str:
    return f"`UserMessage.{path}`{more and '; '}{more}"


MESSAGE: Final = schema_of(
    [
        *((name, kind, _comment(path, more)) for name, kind, path, more in _READINGS),
        (
            "carries",
            pa.string(),
            "The directory queue whose messages have this form; null for other messages.",
        ),
        (
            "problems",
            pa.list_(pa.string()),
            "What could not be read, such as a name of a queue that is none.",
        ),
        (
            "destinations",
            pa.list_(pa.string()),
            "All queues that were sent a copy, as format names; several with a MultiQueueFormatHeader.",
        ),
        ("acknowledgments", pa.list_(pa.string()), "The requested acknowledgments, in words."),
        ("encrypted", pa.bool_(), "Whether the body is encrypted."),
        ("signed", pa.bool_(), "Whether the message has a signature of the sender."),
        (
            "body_form",
            pa.string(),
            (
                "What the body is: its BodyType, such as ``VT_BSTR``; without one ``UTF-8 XML``, ``UTF-8``, "
                "``UTF-16``, ``.NET binary``, ``bytes`` or ``empty``; or ``encrypted``."
            ),
        ),
    ]
)
"""The columns of the interpreted messages."""

_WANTED: Final = {
    "PA": "delivered",
    "PR": "retrieved",
    "NA": "not delivered",
    "NR": "not retrieved",
}
"""Acknowledgments by flag ([MS-MQMQ] 2.2.19.3)."""

FIELDS: Final = (
    "BaseHeader.TimeToReachQueue",
    "BaseHeader.Flags.PR",
    "UserHeader.SourceQueueManager",
    "UserHeader.QueueManagerAddress",
    "UserHeader.TimeToBeReceived",
    "UserHeader.SentTime",
    "UserHeader.MessageID",
    "UserHeader.Flags.DM",
    *(f"UserHeader.{path}" for pair in _SELECTORS.items() for path in pair),
    "TransactionHeader.Flags",
    "SecurityHeader.Flags.ST",
    "SecurityHeader.Flags.EB",
    "SecurityHeader.SecurityData.SecurityID",
    "MessagePropertiesHeader.MessageClass",
    "MessagePropertiesHeader.CorrelationID",
    "MessagePropertiesHeader.BodyType",
    "MessagePropertiesHeader.ApplicationTag",
    "MessagePropertiesHeader.Label",
    "MessagePropertiesHeader.MessageBody",
    "CompoundMessageHeader.MsgBodyOffset",
    "CompoundMessageHeader.MsgBodySize",
    "CompoundMessageHeader.Data",
    *(f"MessagePropertiesHeader.Flags.{flag}" for flag in _WANTED),
    "SecurityHeader.SignatureSize",
    "MultiQueueFormatHeader.Signature.Size",
    "MultiQueueFormatHeader.Destination.FormatNameList",
)
"""Paths of the columns that `readings` needs, in this order."""

_HALVES: Final = re.compile("[\ud800-\udfff]")
_NO_CORRELATION: Final = bytes(20)
_MOST_CODES: Final = 1 << 62
_SPARSE: Final = 8
"""Codes up to this many times the number of rows are counted; larger ones are sorted."""
_KNOWN: Final = 1 << 14
"""The number of cached queue names."""


_ERROR: Final = pa.field(
    "error", pa.string(), metadata={"comment": "The error of a row without a message; otherwise null."}
)
MESSAGE_TYPE: Final = pa.struct([*MESSAGE, _ERROR])
"""The result type of `messages_of`."""


def fields_of(packets: pa.RecordBatch) -> pa.RecordBatch:
    """Return the columns of `FIELDS` from packets that are all UserMessages."""
    columns = []
    for path in FIELDS:
        name, *inner = path.split(".")
        column = packets.column(name)
        columns.append(pc.struct_field(column, inner) if inner else column)
    return pa.RecordBatch.from_arrays(columns, names=FIELDS)


def messages_of(packets: pa.StructArray) -> pa.StructArray:
    """Interpret packets, one row each; a row that is not a message has an error instead.

    Args:
        packets: The decoded columns of `FIELDS`, as `readings` takes them.
    """
    kind, error = packets.field("kind"), pc.struct_field(packets, ["error", "message"])
    good = pc.fill_null(pc.and_(pc.equal(kind, "UserMessage"), pc.is_null(error)), False)
    index = np.flatnonzero(good.to_numpy(zero_copy_only=False))
    made = readings(fields_of(pa.RecordBatch.from_struct_array(packets.take(pa.array(index)))))
    places = np.full(len(packets), -1, np.int64)
    places[index] = np.arange(len(index))
    taken = pa.array(places, mask=places < 0)
    other = pc.coalesce(error, pc.binary_join_element_wise("is a packet of another kind: ", kind, ""))
    arrays = [*(column.take(taken) for column in made.values()), pc.if_else(good, None, other)]
    mask = pc.is_null(packets) if packets.null_count else None
    return pa.StructArray.from_arrays(arrays, fields=[*MESSAGE_TYPE], mask=mask)


def readings(fields: pa.RecordBatch) -> dict[str, pa.Array]:
    """Return the columns of `MESSAGE`, in its order, for UserMessages.

    Args:
        fields: The columns of `FIELDS`, with Spark types and UTF-8 texts.
    """
    made = {**_plain_columns(fields), **_queue_columns(fields), **_body_columns(fields)}
    made |= _flag_columns(fields)
    made["destinations"], problems = _destinations(fields, made["destination"])
    if problems:
        numbered = zip(made["problems"].to_pylist(), range(len(fields)), strict=True)
        made["problems"] = pa.array([own + problems.get(at, []) for own, at in numbered])
    return {field.name: made[field.name].cast(field.type) for field in MESSAGE}


class Distinct:
    """The distinct value combinations of some columns, and which one each row has.

    Attributes:
        values: The distinct combinations.
        first: The index of a row with each combination.
        indices: The combination of each row.
    """

    def __init__(self, *columns: pa.Array) -> None:
        codes = np.zeros(len(columns[0]), np.int64)
        first, most = np.zeros(min(len(codes), 1), np.int64), 1
        for column in columns:
            if column.null_count == len(column):
                continue
            encoded = column.dictionary_encode()
            size = len(encoded.dictionary) + 1
            own = encoded.indices.fill_null(size - 1).to_numpy(zero_copy_only=False)
            if most * size > _MOST_CODES:
                _, codes = _consecutive(codes, most)
                most = len(codes)
            codes, most = codes * size + own, most * size
        if most > 1:
            first, codes = _consecutive(codes, most)
        self.indices = pa.array(codes)
        self.first = first
        taken = pa.array(first)
        self.values = list(zip(*(column.take(taken).to_pylist() for column in columns), strict=True))

    def array(self, values: Iterable[Any], kind: pa.DataType) -> pa.Array:
        """Return a column, given one value for each distinct combination."""
        return pa.array(values, kind).take(self.indices)


def _consecutive(codes: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each code, and the codes renumbered from 0."""
    if most > _SPARSE * len(codes):
        encoded = pa.array(codes).dictionary_encode()
        codes, most = encoded.indices.to_numpy().astype(np.int64), len(encoded.dictionary)
    first = np.full(most, -1, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # of equal codes, the first row is written last
    used = first >= 0
    return first[used], (np.cumsum(used) - 1)[codes]


def _each(kind: pa.DataType, function: Callable[..., Any], *columns: pa.Array) -> pa.Array:
    """Apply a function to each row, once for equal rows; null if the first value is null."""
    distinct = Distinct(*columns)
    return distinct.array([None if row[0] is None else function(*row) for row in distinct.values], kind)


def _reading(path: str, **fields: Any) -> Any:
    """Call a reading of a header that has these fields."""
    structure, name = path.split(".")
    return READINGS[structure][name](SimpleNamespace(**fields))


def _plain_columns(batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """Return the columns that depend on one or two fields."""

    def seconds(path: str) -> Callable[[int], int | None]:
        reading, field = path, _TIMES[path]

        def read(value: int) -> int | None:
            time = _reading(reading, **{field: value})
            return None if time is None else int(time.total_seconds())

        return read

    def sender(number: int, identifier: bytes | None) -> str | None:
        data = None if identifier is None else SimpleNamespace(SecurityID=identifier)
        found = _reading("SecurityHeader.sender", SecurityData=data, Flags=SimpleNamespace(ST=number))
        return None if found is None else str(found)

    def class_name(number: int) -> str:
        found = _reading("MessagePropertiesHeader.message_class", MessageClass=number)
        return str(getattr(found, "name", found))

    header, properties = "UserHeader.", "MessagePropertiesHeader."
    column = batch.column
    return {
        "message": _identifiers(column(f"{header}SourceQueueManager"), column(f"{header}MessageID")),
        "sent_at": pc.multiply(column(f"{header}SentTime"), 1_000_000).cast(TIME),
        "message_class": _each(pa.string(), class_name, column(f"{properties}MessageClass")),
        "label": _each(
            pa.string(), lambda text: _reading(f"{properties}label", Label=text), column(f"{properties}Label")
        ),
        "correlation": _correlations(column(f"{properties}CorrelationID")),
        **{
            path.partition(".")[2]: _each(
                pa.int64(), seconds(path), column(f"{path.partition('.')[0]}.{field}")
            )
            for path, field in _TIMES.items()
        },
        "priority": column("BaseHeader.Flags.PR"),
        "recoverable": column(f"{header}Flags.DM"),
        "transactional": column("TransactionHeader.Flags").is_valid(),
        "sender": _each(
            pa.string(),
            sender,
            column("SecurityHeader.Flags.ST"),
            column("SecurityHeader.SecurityData.SecurityID"),
        ),
        "body_type": column(f"{properties}BodyType"),
        "application_tag": column(f"{properties}ApplicationTag"),
    }


_TIMES: Final = {
    "BaseHeader.time_to_reach_queue": "TimeToReachQueue",
    "UserHeader.time_to_be_received": "TimeToBeReceived",
}


def _identifiers(guids: pa.Array, numbers: pa.Array) -> pa.Array:
    r"""Return message identifiers as text, such as ``GUID\number``."""
    texts = _each(pa.string(), lambda raw: str(GUID(raw)), guids)
    return pc.binary_join_element_wise(texts, numbers.cast(pa.string()), "\\")


_CORRELATION: Final = np.dtype([("guid", "V16"), ("number", "<u4")])


def _correlations(column: pa.Array) -> pa.Array:
    """Return identifiers from 20 bytes; null if all are zero."""
    fixed = column.cast(pa.binary(_CORRELATION.itemsize))
    raw = np.frombuffer(fixed.buffers()[1], _CORRELATION, len(fixed), fixed.offset * _CORRELATION.itemsize)
    guids = pa.Array.from_buffers(
        pa.binary(16), len(raw), [None, pa.py_buffer(np.ascontiguousarray(raw["guid"]))]
    )
    texts = _identifiers(guids, pa.array(raw["number"]))
    return pc.if_else(pc.equal(column, _NO_CORRELATION), None, texts)


# ------------------------------------------------------------------------------------------ queue names


_Leaves = tuple[Any, ...]


def _queue_columns(batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """Return the queue names, the directory queue of the message, and problems."""
    hosts = [batch.column(f"UserHeader.{name}") for name in ("SourceQueueManager", "QueueManagerAddress")]
    own, asks, answers = (batch.column(f"UserHeader.{name}") for name in _SELECTORS.values())
    zeros = pa.array(np.zeros(len(batch), np.int8))
    destination, admin, response = (batch.column(f"UserHeader.{name}").flatten() for name in _SELECTORS)
    asked = {
        "destination": ((own, zeros, zeros), (destination, None, None)),
        "admin_queue": ((zeros, asks, zeros), (None, admin, None)),
        "response_queue": ((zeros, asks, answers), (None, admin, response)),
    }
    made: dict[str, pa.Array] = {}
    problems: list[pa.Array] = []
    for name, (flags, leaves) in asked.items():
        made[name], problem = _named_queues(name, hosts, flags, leaves)
        problems.append(problem)
    sizes = pc.binary_length(batch.column("MessagePropertiesHeader.MessageBody"))
    columns = own, batch.column("MessagePropertiesHeader.MessageClass"), pc.greater(sizes, 0), *destination
    distinct = Distinct(*columns)
    carried = [_carries(flag, tuple(leaves), *more) for flag, *more, leaves in _apart(distinct.values, 3)]
    made["carries"] = distinct.array(carried, pa.string())
    return {**made, "problems": _lists(problems)}


def _lists(columns: list[pa.Array]) -> pa.ListArray:
    """Return a list for each row: the values of these columns that are not null."""
    count = len(columns[0])
    rows = np.arange(count)[:, None] + count * np.arange(len(columns))
    values = pa.concat_arrays(columns).take(pa.array(rows.ravel()))
    sizes = values.is_valid().to_numpy(zero_copy_only=False).reshape(rows.shape).sum(1)
    ends = np.append(0, sizes.cumsum()).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(ends), values.drop_null())


def _apart(rows: Iterable[tuple[Any, ...]], count: int) -> Iterator[tuple[Any, ...]]:
    """Split each row: the first values, then all others as one tuple."""
    return ((*row[:count], row[count:]) for row in rows)


def _named_queues(
    reading: str,
    hosts: list[pa.Array],
    flags: tuple[pa.Array, ...],
    leaves: tuple[list[pa.Array] | None, ...],
) -> tuple[pa.Array, pa.Array]:
    """Apply a reading to the queues of each message; return the names, and the problems.

    A name without a host gets the host from its header.  Names are computed with placeholders for hosts,
    once for equal names; the hosts are inserted afterwards.

    Args:
        reading: The name of the reading.
        hosts: SourceQueueManager and QueueManagerAddress.
        flags: The selectors of the queue forms.
        leaves: The columns of the destination, the administration and the response queue; None for a
            queue that the reading does not depend on.
    """
    distinct = Distinct(*flags, *(leaf for own in leaves if own is not None for leaf in own))
    found = []
    for row in distinct.values:
        at = len(flags)
        queues: list[_Leaves | None] = []
        for own in leaves:
            queues.append(None if own is None else row[at : at + len(own)])
            at += 0 if own is None else len(own)
        found.append(_named(reading, row[: len(flags)], tuple(queues)))
    names, problems = zip(*found, strict=True) if found else ((), ())
    made = distinct.array(names, pa.string())
    for mark, host in zip(_MARKS, hosts, strict=True):
        text = str(mark).upper()
        parts = [(name or "").partition(text) for name in names]
        if any(middle for _, middle, _ in parts):
            before, middle, behind = (distinct.array(part, pa.string()) for part in zip(*parts, strict=True))
            texts = _each(pa.string(), lambda raw: str(GUID(raw)).upper(), host)
            whole = pc.binary_join_element_wise(before, texts, behind, "")
            made = pc.if_else(pc.equal(middle, ""), made, whole)
    return made, distinct.array(problems, pa.string())


_HEADERS: Final = result_type(packet_tree(), Style(spark=True, text="utf8"))
_FORMS: Final = {
    name: [field.name for field in _HEADERS.field("UserHeader").type.field(name).type] for name in _SELECTORS
}
"""The column names of each queue."""


_MARKS: Final = GUID.of(uuid4()), GUID.of(uuid4())
"""Random placeholders for SourceQueueManager and QueueManagerAddress, which no message can contain."""


@lru_cache(maxsize=_KNOWN)
def _named(
    reading: str, flags: tuple[int, ...], leaves: tuple[_Leaves | None, ...]
) -> tuple[str | None, str | None]:
    """Apply a reading to a queue; return the name or None, and the problem or None."""
    selected = dict(zip((path.partition(".")[2] for path in _SELECTORS.values()), flags, strict=True))
    queues = {
        name: None if own is None else _form(name, flag, own)
        for name, flag, own in zip(_SELECTORS, flags, leaves, strict=True)
    }
    source, address = _MARKS
    made = SimpleNamespace(
        Flags=SimpleNamespace(**selected),
        SourceQueueManager=source,
        QueueManagerAddress=address,
        **queues,
    )
    try:
        name = READINGS["UserHeader"][reading](made)
    except MsmqWireError as error:
        return None, _writable(f"{reading}: {error}")
    return None if name is None else _writable(str(name)), None


@lru_cache(maxsize=_KNOWN)
def _carries(flag: int, destination: _Leaves, number: int, has_body: bool) -> str | None:  # a value
    """Return the directory queue whose kind of message this is."""
    header = SimpleNamespace(DestinationQueue=_form("DestinationQueue", flag, destination))
    properties = SimpleNamespace(MessageClass=number, MessageBody=has_body)
    queue = carries(SimpleNamespace(UserHeader=header, MessagePropertiesHeader=properties))
    return queue.name if queue else None


def _form(name: str, selector: int, leaves: _Leaves) -> Any:
    """Create the record of a queue name from its columns."""
    values = dict(zip(_FORMS[name], leaves, strict=True))
    kind: Any = _USER.by_name[name].kind
    form = kind.forms.get(selector)
    if form is None:
        return None
    own = [
        GUID(values[field.name]) if isinstance(field.kind, Guid) else values[field.name]
        for field in form.fields
    ]
    return record_class(form.name).raw(*own)


def _writable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot represent."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


_ELEMENT: Any = structures()["MQFFormatNameElement"].by_name["FormatName"].kind
_LISTED: Final = (
    _HEADERS.field("MultiQueueFormatHeader").type.field("Destination").type.field("FormatNameList")
)
_ELEMENT_FORMS: Final = [field.name for field in _LISTED.type.value_type.field("FormatName").type]
"""The column names of each element."""


def _destinations(batch: pa.RecordBatch, single: pa.Array) -> tuple[pa.Array, dict[int, list[str]]]:
    """Return all destinations of each message, and problems by row number."""
    lists = batch.column("MultiQueueFormatHeader.Destination.FormatNameList")
    (several,) = lists.is_valid().to_numpy(zero_copy_only=False).nonzero()
    sizes = pc.list_value_length(lists).fill_null(0).to_numpy(zero_copy_only=False)
    rows_of, elements = np.repeat(np.arange(len(lists)), sizes), lists.flatten()
    distinct = Distinct(elements.field("FormatType"), *elements.field("FormatName").flatten())
    found = [_element(number, leaves) for number, leaves in _apart(distinct.values, 1)]
    names, wrong = (distinct.array([pair[at] for pair in found], pa.string()) for at in range(2))
    problems: dict[int, list[str]] = {}
    for element in wrong.is_valid().to_numpy(zero_copy_only=False).nonzero()[0].tolist():
        problems.setdefault(int(rows_of[element]), []).append(wrong[element].as_py())
    good = names.is_valid().to_numpy(zero_copy_only=False)
    counts = np.bincount(rows_of[good], minlength=len(lists))
    ends = pa.array(np.append(0, counts.cumsum()).astype(np.int32))
    own = pa.ListArray.from_arrays(ends, names.drop_null())
    rows = np.arange(len(single))
    rows[several] += len(single)
    return pa.concat_arrays([_lists([single]), own]).take(pa.array(rows)), problems


def _element(number: int, leaves: _Leaves) -> tuple[str | None, str | None]:
    """Return the format name of a list element or None, and the problem or None."""
    try:
        return _element_name(number, leaves), None
    except MsmqWireError as error:
        return None, _writable(f"destinations: {error}")


@lru_cache(maxsize=_KNOWN)
def _element_name(number: int, leaves: _Leaves) -> str:
    form = _ELEMENT.forms[number]
    known = dict(zip(_ELEMENT_FORMS, leaves, strict=True))
    values = (known[field.name] for field in form.fields)
    own = [
        GUID(value) if isinstance(field.kind, Guid) else value
        for field, value in zip(form.fields, values, strict=True)
    ]
    return _writable(str(READINGS[form.name]["format_name"](record_class(form.name).raw(*own))))


def _flag_columns(batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """Return the columns on acknowledgments, encryption and signatures."""
    distinct = Distinct(*(batch.column(f"MessagePropertiesHeader.Flags.{flag}") for flag in _WANTED))
    wanted = [
        [name for name, bit in zip(_WANTED.values(), bits, strict=True) if bit] for bits in distinct.values
    ]
    sizes = [
        pc.fill_null(batch.column(name), 0).cast(pa.int64())
        for name in ("SecurityHeader.SignatureSize", "MultiQueueFormatHeader.Signature.Size")
    ]
    return {
        "acknowledgments": distinct.array(wanted, pa.list_(pa.string())),
        "encrypted": pc.equal(pc.fill_null(batch.column("SecurityHeader.Flags.EB"), 0), 1),
        "signed": pc.greater(pc.add(*sizes), 0),
    }


# --------------------------------------------------------------------------------------------- bodies

_DOT_NET: Final = b"\0\1\0\0\0\xff\xff\xff\xff\1\0\0\0"
"""Prefix of a .NET BinaryFormatter stream ([MS-NRBF] 2.6.1)."""
_XML: Final = re.compile(rb"(\xef\xbb\xbf)?\s*<[?!A-Za-z]")
_XML_16: Final = re.compile(rb"(\xff\xfe)?<\0[?!A-Za-z]\0")
_SHOWN: Final = bytes([*b"\t\n\r", *range(0x20, 0x7F), *range(0x80, 0x100)])
"""Bytes of printable text in UTF-8, and of white space."""
_LEAST: Final = 2
"""Minimum number of characters of text; one could as well be a small number."""


def _body_columns(batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """Return the bodies, and the text of those that are text or numbers."""
    bodies = batch.column("MessagePropertiesHeader.MessageBody")
    compound = batch.column("CompoundMessageHeader.Data")
    if compound.null_count < len(compound):
        bodies = pa.array(_compound_bodies(batch), pa.binary())
    kinds = batch.column("MessagePropertiesHeader.BodyType").to_pylist()
    encrypted = batch.column("SecurityHeader.Flags.EB").to_pylist()
    read = [
        ("encrypted", None) if hidden else _read(kind, body)
        for kind, hidden, body in zip(kinds, encrypted, bodies.to_pylist(), strict=True)
    ]
    return {  # unpacking all pairs at once would make an iterator for each
        "body": bodies,
        "text": pa.array([text for _, text in read], pa.string()),
        "body_form": pa.array([form for form, _ in read], pa.string()),
    }


def _compound_bodies(batch: pa.RecordBatch) -> Iterator[bytes]:
    names = ("MessagePropertiesHeader.MessageBody", *(name for name in FIELDS if name.startswith("Compound")))
    for body, offset, size, data in zip(*(batch.column(name).to_pylist() for name in names), strict=True):
        compound = None
        if data is not None:
            compound = SimpleNamespace(MsgBodyOffset=offset, MsgBodySize=size, Data=data)
        properties = SimpleNamespace(MessageBody=body)
        yield _reading("UserMessage.body", MessagePropertiesHeader=properties, CompoundMessageHeader=compound)


def _read(kind: int, body: bytes) -> tuple[str, str | None]:
    """Return the type of a body and its text, by its BodyType or else by its prefix; without terminators."""
    value = body_value(kind, body) if kind else body
    if not isinstance(value, bytes):
        return _type_name(kind), _writable(str(value).rstrip("\0"))
    if not body:
        return "empty", None
    for name, mark, codec in (("UTF-8 XML", _XML, "utf-8-sig"), ("UTF-16", _XML_16, "utf-16-le")):
        if mark.match(body):
            try:
                return name, body.decode(codec).removeprefix("\ufeff").rstrip("\0")
            except UnicodeDecodeError:
                continue
    if body.startswith(_DOT_NET):
        return ".NET binary", None
    return _plain_text(body) or ("bytes", None)


def _plain_text(body: bytes) -> tuple[str, str] | None:
    """Return the form and the text of bytes that are only printable characters; None for other bytes."""
    form, shown = "UTF-8", body.rstrip(b"\0")
    if len(body) % 2 == 0 and not body[1::2].strip(b"\0"):
        form, shown = "UTF-16", body[::2].rstrip(b"\0")
    if len(shown.strip()) < _LEAST or shown.translate(None, _SHOWN):
        return None
    try:
        text = shown.decode("latin-1" if form == "UTF-16" else "utf-8")
    except UnicodeDecodeError:
        return None
    return (form, text) if text.isascii() or "".join(text.split()).isprintable() else None


@cache
def _type_name(kind: int) -> str:
    try:
        return VARTYPE(kind).name or f"{kind:#06x}"
    except ValueError:
        return BODY_TYPES.get(kind, f"{kind:#06x}").partition(",")[0]
