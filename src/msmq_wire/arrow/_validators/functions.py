"""Column tests that are functions: for rules that are functions, and for structures and names in bytes.

1. A test returns the rows that may violate a rule.  It may be stricter than the rule.
2. Bytes that hold a structure, and names of queues, are validated as records, once for each distinct value.
3. `COLUMN_TESTS` has these tests.  A rule that is a function and is missing there has no column test.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from msmq_wire import mqmq
from msmq_wire.checks.rules.mqmq_common import cipher_of_key
from msmq_wire.checks.rules.mqmq_message import LEAST_SIMPLEBLOB
from msmq_wire.checks.rules.mqqb import is_at, is_order_queue
from msmq_wire.checks.validation import validate
from msmq_wire.documents.opening import SESSION_HEADER_SIZE
from msmq_wire.packets.carriers import DirectoryQueue, queue_of
from msmq_wire.packets.certificates import PUBLIC_KEY, modulus_size
from msmq_wire.packets.packet import names_order_queue
from msmq_wire.records.record import record_class
from msmq_wire.values.algorithms import BLOCKS, RC, SHA_512
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.guid import GUID_SIZE
from msmq_wire.values.numbers import FOREVER, ORDER_QUEUE
from msmq_wire.values.sid import MOST_AUTHORITIES
from msmq_wire.values.wchar import from_wchars

from .comparisons import among

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.rules import Channel, Level

    from .table import Mask, Table

_PUBLIC_KEY = int.from_bytes(PUBLIC_KEY, "little")
_NUMBERS = frozenset(queue.number for queue in DirectoryQueue)
_QUEUE = (
    "UserHeader.DestinationQueue.PrivateQueueIdentifier",
    "UserHeader.DestinationQueue.DirectFormatName",
)

_BODY = ("MessagePropertiesHeader.MessageSize", "MessagePropertiesHeader.EncryptionAlgorithm")
_SIZES = ("MessagePropertiesHeader.AllocationBodySize", "MessagePropertiesHeader.MessageSize")
_SIGNED = ("MultiQueueFormatHeader.Signature.Signature", "SecurityHeader.SecurityData.SenderCert")
_CIPHER = ("SecurityHeader.SecurityData.EncryptionKey", "MessagePropertiesHeader.EncryptionAlgorithm")


class ColumnTest(NamedTuple):
    """A test on columns for a rule that is not a comparison.

    Attributes:
        columns: The columns that it needs, relative to the structure of the rule.
        test: Returns the rows that may violate the rule, given the table and the path of the structure.
    """

    columns: tuple[str, ...]
    test: Callable[[Table, str], Mask | None]


# ------------------------------------------------------------------------------------- structures and names


def is_clear(part: Any, level: Level, channel: Channel | None = None) -> bool:
    """Return whether a record has no violations."""
    return not validate(part, level, channel=channel)


def bytes_are_clear(
    data: bytes, structure: str, level: Level, channel: Channel, *, required: bool = True
) -> bool:
    """Return whether bytes are a structure without violations.

    Args:
        data: The bytes.
        structure: The structure.
        level: As for `validate`.
        channel: As for `validate`.
        required: Whether bytes that are not such a structure count as a violation.
    """
    try:
        record = record_class(structure).decode(data)
    except DecodeError:
        return not required
    return is_clear(record, level, channel)


def _embedded(name: str, structure: str, *, required: bool = False) -> ColumnTest:
    """Return the test for a structure inside a byte field; `required` is that of `bytes_are_clear`."""

    def test(table: Table, prefix: str) -> Mask:
        def is_wrong(data: bytes) -> bool:
            return data != b"" and not bytes_are_clear(
                data, structure, table.level, table.channel, required=required
            )

        return table.each(f"{prefix}.{name}", is_wrong)

    return ColumnTest((name,), test)


def _bad_name(table: Table, prefix: str) -> Mask | None:
    """The direct name of a queue has violations, or another size than stated."""
    name = f"{prefix}.DirectFormatName"
    array = table.array(name)
    if array.null_count == len(array):
        return None
    odd = table.within(name, table.values(f"{prefix}.Count") != table.lengths(name))
    return odd | table.each(name, lambda data: _name_is_bad(data, table.level))


@lru_cache(maxsize=4096)
def _name_is_bad(data: bytes, level: Level) -> bool:
    return not is_clear(_direct(data), level)


@lru_cache(maxsize=4096)
def _is_of_directory(data: bytes) -> bool:
    """Return whether a direct name is that of a queue for directory messages."""
    header = mqmq.UserHeader(DestinationQueue=_direct(data))
    return queue_of(mqmq.UserMessage(UserHeader=header)) is not None


def _direct(data: bytes) -> mqmq.DirectQueueFormatName:
    """Return the queue with this name; a terminator is not added to a name without one."""
    name: mqmq.DirectQueueFormatName = mqmq.DirectQueueFormatName.raw(
        len(data), from_wchars(data), bytes(-(2 + len(data)) & 3)
    )
    return name


# ------------------------------------------------------------------------------- rules that are functions


def _other_size(table: Table, _: str) -> Mask:
    """PacketSize differs from the row's size, and from the size without a SessionHeader after a message."""
    sizes = table.values("BaseHeader.PacketSize")
    bad: Mask = sizes != table.sizes
    if table.root != "UserMessage":
        return bad
    appended = table.there("SessionHeader")  # None if every message has one
    without: Mask = sizes == table.sizes - SESSION_HEADER_SIZE
    bad &= ~(without if appended is None else appended & without)
    return bad


def _late(table: Table, _: str) -> Mask:
    """The time to reach the queue had passed when the packet was captured; an unknown time does not count."""
    lasts = table.values("BaseHeader.TimeToReachQueue")
    until = (
        table.values("UserHeader.SentTime").astype(np.float64) + lasts + table.circumstances.clock_tolerance
    )
    assert table.circumstances.seen_at is not None  # noqa: S101  # otherwise this rule is not tested
    late: Mask = (np.floor(table.circumstances.seen_at) > until) & (lasts != FOREVER)
    return late


def _to_directory(table: Table, _: str) -> Mask:
    """Messages to a queue for directory messages carry one, which is validated as a record."""
    number, name = _QUEUE
    directory = table.within(number, among(table.values(number), _NUMBERS))
    return directory | table.each(name, _is_of_directory)


def _no_sid(table: Table, prefix: str) -> Mask:
    """The opposite of `is_sid`, judged by the first bytes and the length."""
    path = f"{prefix}.SecurityData.SecurityID"
    begins, lengths = table.begins(path), table.lengths(path)
    authorities = begins >> 8 & 0xFF
    good: Mask = (begins & 0xFF == 1) & (authorities <= MOST_AUTHORITIES) & (lengths == 8 + 4 * authorities)
    return ~good


def _other_queue(table: Table, _: str) -> Mask:
    path = _QUEUE[0]
    return table.within(path, table.values(path) != ORDER_QUEUE)


def _other_name(table: Table, _: str) -> Mask:
    return table.each(_QUEUE[1], lambda data: not is_order_queue(from_wchars(data)))


def _elsewhere(table: Table, _: str) -> Mask:
    """The direct name of a queue for acknowledgments has another address than the receiver's."""
    addresses, path = table.circumstances.addresses, _QUEUE[1]
    assert addresses is not None  # noqa: S101  # otherwise this rule is not tested
    names, codes = table.coded(path)
    texts = [*addresses.dictionary.to_pylist(), None]
    indices = addresses.indices.fill_null(len(texts) - 1).to_numpy().astype(np.int64)
    pairs, which = np.unique(codes * np.int64(len(texts)) + indices, return_inverse=True)
    bad = [
        bool(names[pair // len(texts)] and texts[pair % len(texts)])
        and not is_at(from_wchars(names[pair // len(texts)]), texts[pair % len(texts)])
        for pair in pairs.tolist()
    ]
    return table.within(path, np.array(bad, np.bool_)[which])


def _to_order_queue(table: Table, _: str) -> Mask:
    number, name = _QUEUE
    order = table.within(number, table.values(number) == ORDER_QUEUE)
    return order | table.each(name, lambda data: names_order_queue(from_wchars(data)))


def _no_blocks(table: Table, _: str) -> Mask:
    """The length of the body is not one that RC2 or AES produces."""
    size, number = _BODY
    sizes = table.values(size)
    rest = np.where(table.values(number) == RC[0], sizes % BLOCKS[RC[0]], sizes % max(BLOCKS.values()))
    odd: Mask = (rest != 0) | (sizes == 0)
    return odd


def _null(name: str) -> ColumnTest:
    """Return the test for the name of a queue that has a GUID."""

    def test(table: Table, prefix: str) -> Mask:
        path = f"{prefix}.{name}"
        halves = table.halves(path)
        null: Mask = (halves[:, 0] == 0) & (halves[:, 1] == 0)
        return table.within(path, null)

    return ColumnTest((name,), test)


def _of_another_key(table: Table, _: str) -> Mask:
    """The encryption algorithm of the body differs from that of the key in the message."""
    path, number = _CIPHER
    keys, codes = table.coded(path)
    ciphers = np.array([cipher_of_key(key or b"") for key in keys], np.int64)[codes]
    other: Mask = (ciphers != 0) & (ciphers != table.values(number))
    return table.within(path, other)


def _of_another_size(signature: str, certificate: str) -> Callable[[Table, str], Mask]:
    """Return the test for signatures that the key of their certificate cannot have made."""

    def test(table: Table, prefix: str) -> Mask:
        begin = f"{prefix}." if prefix else ""
        signed, certified = begin + signature, begin + certificate
        keys, rows, codes = table.distinct(certified)
        wanted = np.array([modulus_size(key) or 0 for key in keys], np.int64)[codes]
        sizes = table.lengths(signed)[rows]
        other = table.nowhere()
        other[rows] = (wanted != 0) & (sizes != 0) & (wanted != sizes)
        return other

    return test


_RARE = ColumnTest((), lambda table, _: np.ones(len(table.sizes), np.bool_))
"""For rules whose conditions few packets fulfil: these are validated as records."""
_NEVER = ColumnTest((), lambda _table, _prefix: None)
"""Decoding excludes violations, or another test in this table already doubts such rows."""
COLUMN_TESTS: Final[dict[str, ColumnTest]] = {
    "MQMQ-2.2.19.1-31": ColumnTest(("BaseHeader.PacketSize", "SessionHeader.AckSequenceNumber"), _other_size),
    "MQMQ-2.2.19.1-34": ColumnTest(("BaseHeader.TimeToReachQueue", "UserHeader.SentTime"), _late),
    "MQMQ-2.2.19.1-32": ColumnTest(
        ("BaseHeader.PacketSize",), lambda table, _: table.values("BaseHeader.PacketSize") == table.sizes
    ),
    "MQMQ-2.2.19.2-26": _NEVER,
    "MQMQ-2.2.19.3-40": _NEVER,
    "MQMQ-2.2.20.5-31": _NEVER,
    "MQMQ-2.2.20.5-36": ColumnTest(
        ("PreviousTxSequenceNumber", "TxSequenceNumber"),
        lambda table, prefix: (
            table.values(f"{prefix}.PreviousTxSequenceNumber") >= table.values(f"{prefix}.TxSequenceNumber")
        ),
    ),
    "MQMQ-2.2.20.6-03": ColumnTest(("SecurityData.SecurityID",), _no_sid),
    "MQMQ-2.2.20.6-04": ColumnTest(
        ("SenderIdSize",), lambda table, prefix: table.values(f"{prefix}.SenderIdSize") != GUID_SIZE
    ),
    "MQMQ-2.2.20.6-07": ColumnTest(
        ("ProviderInfoSize",), lambda table, prefix: table.values(f"{prefix}.ProviderInfoSize") == 0
    ),
    "MQMQ-2.2.19.3-28": ColumnTest(
        ("MessagePropertiesHeader.HashAlgorithm",),
        lambda table, _: table.values("MessagePropertiesHeader.HashAlgorithm") != SHA_512,
    ),
    "MQMQ-2.2.20.6-26": ColumnTest(
        ("SecurityHeader.SenderIdSize",),
        lambda table, _: table.values("SecurityHeader.SenderIdSize") == GUID_SIZE,
    ),
    "MQMQ-2.2.19.3-45": ColumnTest(_BODY, _no_blocks),
    "MQMQ-2.2.20.6-46": _embedded("SecurityData.ProviderInfo", "ProviderInfo", required=True),
    "MQQB-2.2.4-05": ColumnTest(_QUEUE[:1], _other_queue),
    "MQQB-2.2.4-06": ColumnTest(_QUEUE[1:], _other_name),
    "MQQB-2.2.4-07": ColumnTest(_QUEUE[1:], _elsewhere),
    "MQQB-2.2.5-08": ColumnTest(_QUEUE[1:], _elsewhere),
    "MQQB-2.2.5-06": ColumnTest(_QUEUE[:1], _other_queue),
    "MQQB-2.2.5-07": ColumnTest(_QUEUE[1:], _other_name),
    "MQQB-2.2.5-09": ColumnTest(_QUEUE, _to_order_queue),
    "MQQB-2.4.2-02": ColumnTest(
        ("EncryptionKey",),
        lambda table, prefix: (
            (table.lengths(f"{prefix}.EncryptionKey") != 0)
            & (table.lengths(f"{prefix}.EncryptionKey") < LEAST_SIMPLEBLOB)
        ),
    ),
    "MQQB-2.4.2-04": ColumnTest(_CIPHER, _of_another_key),
    "MQQB-3.1.7.1.5-01": ColumnTest(
        _SIZES, lambda table, _: table.values(_SIZES[0]) != table.values(_SIZES[1])
    ),
    "MQQB-3.1.7.1.4-01": ColumnTest(("Signature", "SenderCert"), _of_another_size("Signature", "SenderCert")),
    "MQQB-3.1.7.1.4-02": ColumnTest(_SIGNED, _of_another_size(*_SIGNED)),
    "MQQB-3.1.5.8.9-01": _RARE,
    "MQQB-3.1.5.8.9-03": _RARE,
    "MQQB-3.1.5.8.9-04": _RARE,
    "MQQB-3.1.5.8.9-05": _RARE,
    "MQRR-2.2.5.5-06": _RARE,
    "PrivateQueueFormatName": _null("SourceQueueManager"),
    "PublicQueueFormatName": _null("PublicQueueIdentifier"),
    "DirectQueueFormatName": ColumnTest(("DirectFormatName", "Count"), _bad_name),
    "SecurityData.EncryptionKey": _embedded("EncryptionKey", "SIMPLEBLOB"),
    "SecurityData.SenderCert": ColumnTest(
        ("SenderCert",),
        lambda table, prefix: (
            (table.lengths(f"{prefix}.SenderCert") >= 4)
            & (table.begins(f"{prefix}.SenderCert") == _PUBLIC_KEY)
        ),
    ),
    "SecurityData.ProviderInfo": _embedded("ProviderInfo", "ProviderInfo"),
    "UserMessage.MessagePropertiesHeader.MessageBody": ColumnTest(_QUEUE, _to_directory),
    "OrderAck.MessagePropertiesHeader.MessageBody": _embedded(
        "MessagePropertiesHeader.MessageBody", "OrderAckBody"
    ),
    "FinalAck.MessagePropertiesHeader.MessageBody": _embedded(
        "MessagePropertiesHeader.MessageBody", "FinalAckBody"
    ),
}
"""Column tests by requirement, by form of a queue, and by structure and path for structures in bytes."""
