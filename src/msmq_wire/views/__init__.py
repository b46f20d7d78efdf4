"""Representations of records: explanations, dictionaries, and the meaning of values."""
