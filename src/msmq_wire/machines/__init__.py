"""State machines of the documents: events in, effects out, without I/O and clocks.

- `session`: both ends of a session ([MS-MQQB] 3.1), and Pings.
- `replication`: a directory server, [MC-MQDSRP] section 3.
- `notification`: change notification, [MS-MQCN] section 3.
"""
