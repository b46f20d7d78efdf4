"""Property values: types, wire forms, lists, and conversion to and from Python values and JSON."""
