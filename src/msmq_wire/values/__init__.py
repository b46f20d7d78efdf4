"""What fields hold: numbers, GUIDs, texts, property values; and the errors and limits that all of them share.

- `errors`, `limits`: what is raised, and how much is read from a stranger.
- `guid`, `sequence_number`, `wchar`, `numbers`, `buffers`, `enumerations`: single values.
- `properties`: property values, their types, their forms on the wire, and lists of them.
"""
