"""NDR, the transfer syntax of remote calls, and what they carry in it; `msmq_wire.rpc` is its face.

- `model`: layouts as types of IDL; `structures`: the records, generated from `definitions/c_rpc.py`.
- `transfer`: reading and writing NDR; `record`: what the records share; `readings`: what they mean.
- `sections`: message packets that a remote read returns in sections.
"""
