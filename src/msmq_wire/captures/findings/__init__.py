"""Signs of attacks in captures: the table `findings`.

- `patterns`: what is looked for, as rows: conditions, severity, references, and what it means.
- `collecting`: applies the rows to packets, messages and connections while tables are made.
- `joining`: what connections of all buckets say together, such as scans.
- `bursts`: how many messages a source sends in a minute.
- `contents`: what bodies are: executables, scripts, serialized objects of .NET.
"""

from __future__ import annotations
