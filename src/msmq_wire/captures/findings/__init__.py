"""Signs of attacks in captures: the table `findings`.

- `patterns`: the patterns as rows: conditions, severity, references and meaning.
- `collecting`: applies the rows to packets, messages and connections while tables are made.
- `joining`: patterns that need the connections of all buckets, such as scans.
- `replays`: messages that a host gets from two addresses.
- `bursts`: how many messages a source sends in a minute.
- `lengths`: the lengths of a packet that lead out of it.
- `contents`: the types of bodies: executables, scripts, serialized objects of .NET.
"""

from __future__ import annotations
