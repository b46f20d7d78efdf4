"""From a part of a file to rows, and from rows to Arrow.

1. Whatever is in a file, its reading ends without an exception: damage becomes a row with an error.
2. Rows are gathered to batches of a few thousand, or of a few megabytes if that is less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import pyarrow as pa

from ._containers import Damage, Record, pcap_records, pcapng_records
from ._frames import Ports, facts_of
from ._sources import Source, opened, region, unpacked
from ._splits import HEAD, PCAP_HEADER, PIECE, Part, form_of
from .segments import MAX_ERROR_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_FRAME", "Limits", "Row", "batches_of", "rows_of"]

Row: TypeAlias = tuple[Any, ...]
"""The columns of `SEGMENTS`."""

MAX_FRAME: Final = 262_144
"""How many bytes a frame has at most, by default; libpcap captures no more."""
_PAYLOAD = 12
_BATCH_ROWS, _BATCH_BYTES = 4096, 2 << 20


class Limits(NamedTuple):
    """What to read of a file.

    Attributes:
        ports: Which segments and datagrams.
        most: How many bytes a frame can have.
        links: The link types to read; None for all that can be read.
    """

    ports: Ports
    most: int = MAX_FRAME
    links: frozenset[int] | None = None


def rows_of(part: Part, limits: Limits) -> Iterator[Row]:
    """The rows of a part of a file.

    Raises:
        OSError: The file cannot be reached.
    """
    with opened(part.place) as file:
        source = region(file, part.start, part.end)
        form = part.form
        if not part.start and form_of(source.peek(HEAD)) == "gzip":
            source = unpacked(file)
        if form == "auto":
            form = form_of(source.peek(HEAD))
        if form == "packets":
            yield from _pieces(part, source)
            return
        for found in _settled(_records(part, form, source, limits.most), source):
            row = _row(part.place, found, limits)
            if row is not None:
                yield row


def _records(part: Part, form: str, source: Source, most: int) -> Iterator[Record | Damage]:
    head = part.preamble or source.peek(PCAP_HEADER)
    if form_of(head[:HEAD]) != form or not form:
        known = "pcap, pcapng or MSMQ packets" if part.form == "auto" else part.form
        problem = f"the file does not begin as {known} does" if head else "the file is empty"
        return iter([Damage(None, 0, problem, head)])
    if form == "pcapng":
        return pcapng_records(source, Source([part.preamble]), most, part.number)
    header = part.preamble or source.read(PCAP_HEADER)
    return pcap_records(source, header, most, part.number)


def _settled(found: Iterator[Record | Damage], source: Source) -> Iterator[Record | Damage]:
    """The same, but with the true reason where packed data ended before their time."""
    for item in found:
        if source.trouble and isinstance(item, Damage):
            break
        yield item
    if source.trouble:
        yield Damage(None, source.offset, source.trouble, b"")


def _row(place: str, found: Record | Damage, limits: Limits) -> Row | None:
    if isinstance(found, Damage):
        data = found.data[:MAX_ERROR_BYTES]
        return (
            place, found.number, found.offset, *(None,) * 9, data, len(found.data), len(data), found.problem
        )  # fmt: skip
    if limits.links is not None and found.link not in limits.links:
        return None
    facts = facts_of(found.data, found.link, found.wire, limits.ports)
    if facts is None:
        return None
    if facts[-1] is not None and len(facts[-4]) > MAX_ERROR_BYTES:
        facts = (*facts[:-4], facts[-4][:MAX_ERROR_BYTES], facts[-3], MAX_ERROR_BYTES, facts[-1])
    return (place, found.number, found.offset, found.time, *facts)


def _pieces(part: Part, source: Source) -> Iterator[Row]:
    """The rows of a file of concatenated packets."""
    while True:
        offset = source.offset
        # Pieces end at the same places, wherever the parts of a file do.
        data = source.read(PIECE - offset % PIECE)
        if data:
            row = (part.place, offset // PIECE + 1, offset, None, "raw", *(None,) * 4, offset, None, None)
            yield (*row, data, len(data), len(data), None)
        if source.trouble:
            damage = Damage(None, source.offset, source.trouble, b"")
            yield (
                part.place, None, damage.offset, *(None,) * 9, b"", 0, 0, damage.problem
            )  # fmt: skip
            return
        if not data:
            return


def batches_of(rows: Iterable[Row], schema: pa.Schema, columns: list[int]) -> Iterator[pa.RecordBatch]:
    """Rows as record batches.

    Args:
        rows: The rows.
        schema: The schema of the batches.
        columns: For each of its columns the place in a row.
    """
    held: list[Row] = []
    size = 0
    for row in rows:
        held.append(row)
        size += len(row[_PAYLOAD])
        if len(held) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield _batch(held, schema, columns)
            held, size = [], 0
    if held:
        yield _batch(held, schema, columns)


def _batch(rows: list[Row], schema: pa.Schema, columns: list[int]) -> pa.RecordBatch:
    by_column = list(zip(*rows, strict=True))
    arrays = [pa.array(by_column[column], field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.record_batch(arrays, schema=schema)
