"""State machines of the protocols: what happens goes in, what to do comes out; no input or output, no clocks.

- `session`: the two ends of a session of [MS-MQQB] 3.1, and Pings.
"""
