"""What the pages say: the structures as C text, what C cannot say, and the property identifiers.

- `c_mqmq`, `c_mqrr`, `c_mqqb`, `c_mqdsrp`, `c_mqcn`: the structures of one document each, as one C text.
- `relations`: presence, choices, alignment, defaults, keyed by the paths of the page.
- `error_codes`: the names of [MS-MQMQ] 2.4.
- `properties`: the property identifiers of [MS-MQMQ] 2.3, a row each.
"""
