"""Packets: decoding and encoding, streams, reassembly, and the messages that packets carry.

- `packet`, `lax`: `decode`, `decode_lax` and `encode` for one packet.
- `partial`: the result of `decode_lax` for truncated and damaged packets.
- `carving`: packets in arbitrary bytes, such as memory images.
- `stream`, `skips`, `packet_starts`: packets of a TCP session.
- `reassembly`: packets of captured TCP segments.
- `directory`, `carriers`: directory messages and the messages that carry them.
- `signature`: the bytes that a digital signature covers.
- `mistaken`, `foreign`: names of the formats of other data, such as captures and archives.
"""
