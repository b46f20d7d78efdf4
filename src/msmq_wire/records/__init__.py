"""The run time under the record classes: the model of a layout, records, flags words, and the slow reader.

Nothing here knows a name of the documents.
"""
