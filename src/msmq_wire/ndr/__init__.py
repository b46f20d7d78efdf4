"""NDR, the encoding of RPC calls, and the structures in it; `msmq_wire.rpc` is the public module.

- `model`: layouts with IDL types; `structures`: the records, generated from `definitions/c_rpc.py`.
- `transfer`: the NDR reader and writer; `record`: the base class of records; `readings`: interpretations.
- `sections`: message packets that a remote read returns in sections.
"""
