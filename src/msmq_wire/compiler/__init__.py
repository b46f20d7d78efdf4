"""The layout compiler: compiles the definitions to committed Python source.

- `pages`, `expressions`: read the definitions into one model.
- `codec`: emits decoders, encoders, size functions, builders, and conversions to and from dictionaries.
- `checks`: finds mistakes in definitions and rules, and emits the functions that check records.
- `records`, `rpc`: emit the record classes of the documents and of RPC calls.
- `generate`, `emit`: assemble whole modules.
"""
