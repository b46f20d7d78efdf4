"""The layout compiler: from the definitions to committed source.

- `pages`, `expressions`: the definitions as one model.
- `codec`: decoders, encoders, sizes, builders, and functions to and from dictionaries.
- `checks`: mistakes in definitions and rules, and the functions that judge records.
- `records`, `rpc`: the classes, of documents and of what calls carry.
- `generate`, `emit`: the modules as a whole.
"""
