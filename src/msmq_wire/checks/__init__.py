"""Validation: the requirements of the documents that a record or a session violates.

- `validation`: validates a single record.
- `rules`: the rules, one module for each part of the documents.
- `sessions`: validates the sequence of packets.
"""
