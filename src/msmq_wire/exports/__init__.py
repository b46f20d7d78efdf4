"""Build time: what readers in other languages are given, made of the definitions; `compiler` writes it.

- `description`: the layouts as plain data, a JSON document with its schema.
- `wireshark`: the dissector, made of that description.
"""
