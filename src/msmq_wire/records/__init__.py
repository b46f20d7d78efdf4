"""The runtime of the record classes: the layout model, records, flags words, and the diagnostic reader.

- `registry`, `model`: record classes and layouts by name, and the layout model.
- `flags`, `record`: flags words, and the base class of all records.
- Building a record from values: `left_out` has the types of omitted values, `plan` determines which fields
  can be computed, `accept` checks given values, and `replacing` and `plain` are shared by the generated
  functions.
- Reading bytes field by field: `steps` are compiled from a layout, `diagnostic_reader` runs them, and
  `packing`, `cursors` and `evidence` are used by it.  With the same steps, `spans` locates the fields of
  complete records.

This package is generic: it contains no name from the documents.
"""
