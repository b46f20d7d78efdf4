"""Bytes of a connection: which packet this is, packets out of streams, what messages carry.

- `packet`: decode, decode_lax and encode of one packet.
- `partial`: what is known of bytes that cannot be read whole.
- `carving`: packets in bytes that are no stream.
- `stream`, `skips`, `marks`: packets out of a TCP session.
- `reassembly`: packets out of captured TCP segments.
- `directory`, `carriers`: directory messages and the messages that carry them.
- `signature`: the bytes that a digital signature covers.
"""
