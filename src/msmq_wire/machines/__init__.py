"""State machines of the documents: what happens goes in, what to do comes out; no input or output, no clocks.

- `session`: the two ends of a session of [MS-MQQB] 3.1, and Pings.
- `replication`: a directory server, [MC-MQDSRP] section 3.
- `notification`: change notification, [MS-MQCN] section 3.
"""
