"""Which requirements of the documents a record, or a session, violates.

- `validation`: rules on a single record.
- `rules`: the rules, one module for each part of the documents.
- `sessions`: packets judged by those that went before.
"""
