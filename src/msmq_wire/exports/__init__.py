"""Files for other languages, generated from the definitions at build time by `compiler`.

- `layouts`: the model and its tables, a JSON document with its schema.
- `kaitai`: the layouts as a description for Kaitai Struct.
- `wireshark`: the Wireshark dissector, generated from that document.
"""
