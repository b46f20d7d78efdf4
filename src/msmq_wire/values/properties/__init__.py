"""Property values: their types, their forms on the wire, lists of them, and as values of Python or JSON."""
