"""Field values: numbers, GUIDs, texts, property values; and the errors and limits of the whole library.

- `errors`, `limits`: exceptions, and bounds for untrusted input.
- `guid`, `sequence_number`, `wchar`, `numbers`, `times`, `buffers`, `enumerations`: single values.
- `properties`: property values, their types, their wire forms, and lists of them.
"""
