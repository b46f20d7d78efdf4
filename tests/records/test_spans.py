"""The fields of a record are where the diagnostic reader reads them in its bytes."""

from __future__ import annotations

import re

from support_outside import independent

from msmq_wire.checks.offsets import OffsetCache
from msmq_wire.records.record import Record, diagnostic_reader
from msmq_wire.records.spans import leaves, spans_of

STEP = re.compile(r"(\w+)|\[(\d+)\]")


def test_spans_fields_and_offsets() -> None:
    compared = 0
    for record in (vector.record for vector in independent()):
        if not isinstance(record, Record) or record.layout.scoped:
            continue
        data = record.encode()
        reader = diagnostic_reader(data)
        reader.read(record.layout, 0, len(data))
        spans = spans_of(record)
        assert spans == reader.spans
        fields = {span.path.partition(".")[2]: span.value for span in spans if span.value is not None}
        assert leaves(record) == (fields, 0)
        offsets = OffsetCache(record)
        for span in spans:
            _, *steps = (name or int(index) for name, index in STEP.findall(span.path))
            assert offsets.offset_of(tuple(steps)) == span.offset
        compared += 1
    assert compared > 250
