"""The runtime of the record classes: the layout model, records, flags words, and the slow reader.

This package is generic: it contains no name from the documents.
"""
