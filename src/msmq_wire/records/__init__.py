"""The runtime of the record classes: the layout model, records, flags words, and the diagnostic reader.

- `registry`, `model`: record classes and layouts by name, and what a layout is.
- `flags`, `record`: flags words, and the base class of all records.
- Building a record from values: `left_out` has the types of omitted values, `plan` says which fields can be
  computed, `accept` checks given values, and `replacing` and `plain` are what the generated functions share.
- Reading bytes field by field: `packing`, `cursors` and `evidence` answer questions of the
  `diagnostic_reader`; `spans` has its results.
- Reading what is incomplete, faster: `record_spans` lists the fields of complete records, `truncated_reader`
  reads the record in which the bytes end.

This package is generic: it contains no name from the documents.
"""
