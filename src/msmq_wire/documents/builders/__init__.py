"""Functions that measure and build the records of the documents, and convert them to and from dictionaries.

Each module belongs to the document of its name and is imported when it is first needed; programs that only
decode do not need it.
"""
